// Replaces the parts of torch_npu that op-plugin's op_api files need, with libtorch's CPU tensors
// and the acl API. CPU tensors represent device tensors: every tensor "is on the NPU". Every
// torch_npu header that the plugin includes is a one-line file, made by build.sh, that includes
// this one.
#pragma once
#include <ATen/ATen.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/NamedTensorUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TypeProperties.h>
#include <acl/acl.h>
#include <acl/acl_base.h>
#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "torch_npu/csrc/core/npu/NPUMacros.h"     // torch_npu's own, unchanged
#include "torch_npu/csrc/core/npu/NpuVariables.h"  // torch_npu's own, unchanged

#define ACL_CANN_ATTR_INF_NAN 1
using std::string;
using std::vector;

#include "device.h"
#include "errors.h"
#include "framework.h"
