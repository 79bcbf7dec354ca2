// A tiny implementation of the API for tests of the suite: what its two halves share.
//
// It has the functions that the suite cannot do without, none of the optional ones, and one operator,
// ReplicationPad2dBackward, right for valid calls and blind to invalid ones. The environment variable
// FAKE_FAULT makes it misbehave in the way that the variable names.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "ref/call.h"

struct aclTensor {
  gradproof::ref::Tensor view;
  std::byte* data;
};

struct aclIntArray {
  std::vector<std::int64_t> values;
};

inline bool fault(std::string_view name) {
  const char* wanted = std::getenv("FAKE_FAULT");
  return wanted != nullptr && name == wanted;
}

#define FAKE_API extern "C" __attribute__((visibility("default")))
