// A tiny implementation of the API for tests of the suite: what its parts share.
//
// It has the functions that the suite cannot do without, none of the optional ones, and one
// operator, ReplicationPad2dBackward, right for valid calls and blind to invalid ones. The
// environment variable FAKE_FAULT makes it misbehave in the ways that the variable names, with ';'
// between them.
#pragma once

#include <algorithm>
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
  std::string_view rest = wanted != nullptr ? wanted : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    if (rest.substr(0, end) == name) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

/// Set while a call runs whose gradInput is more than two elements wide: faults that do not hit
/// every call hit these. (Where the parts are one file, that is.)
inline thread_local bool running_wide = false;

/// With the fault "device memory", addresses on the device are none of the host: whoever follows
/// them there dies.
inline void* shifted(void* address, std::uintptr_t by) {
  return address != nullptr && fault("device memory")
             ? reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) + by)
             : address;
}
inline void* to_device(void* address) { return shifted(address, std::uintptr_t{1} << 47); }
inline void* to_host(void* address) { return shifted(address, -(std::uintptr_t{1} << 47)); }

#define FAKE_API extern "C" __attribute__((visibility("default")))
