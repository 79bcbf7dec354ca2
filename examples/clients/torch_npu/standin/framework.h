// Preparation of tensors and the launch of a call; replaces torch_npu's framework/.
#pragma once
#include <ATen/ATen.h>
#include <acl/acl.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "device.h"

namespace at_npu::native {
inline void ApplyDeterministicSnapshot(const c10_npu::DeterministicSnapshot&, bool) {}
inline void ApplyDeterministicLevel(int64_t, bool, bool) {}
inline at::ScalarType result_type(at::ScalarType a, at::ScalarType b) {
  return c10::promoteTypes(a, b);
}
namespace env {
inline bool IsAllowMatmulHF32() { return false; }
inline bool CheckCompatibleImpl() {
  const char* chosen = std::getenv("TORCH_NPU_USE_COMPATIBLE_IMPL");
  return chosen != nullptr && *chosen == '1';
}
}  // namespace env

// OpUtils.cpp and KernelNpuOutputSize.cpp, linked for three helpers, refer to these; none is
// called.
struct NPUNativeFunctions {
  static int64_t get_storage_size(const at::Tensor& tensor) { return tensor.numel(); }
};
namespace custom_ops {
inline at::Tensor _npu_dtype_cast(const at::Tensor& tensor, at::ScalarType type) {
  return tensor.to(type);
}
}  // namespace custom_ops

struct FormatHelper {
  static bool IsOpInputBaseFormat(const at::Tensor&) { return true; }
  static bool IsBaseFormatType(aclFormat format) {
    return format == ACL_FORMAT_ND || format == ACL_FORMAT_NCHW || format == ACL_FORMAT_NHWC ||
           format == ACL_FORMAT_NCDHW;
  }
};

using PROC_FUNC = std::function<int()>;
struct OpCommand {
  static void RunOpApiV2(const std::string& name, const PROC_FUNC& call, bool sync = false);
};

struct OpPreparation {
  static aclDataType convert_to_acl_data_type(const at::ScalarType&);
  static at::ScalarType convert_to_scalar_type(aclDataType) {
    TORCH_CHECK(false, "not in the stand-in");
  }
  static at::Tensor copy_scalar_to_device(const c10::Scalar& scalar, at::ScalarType type) {
    return at::full({}, scalar, at::TensorOptions(type));
  }
  static bool is_scalar_wrapped_to_tensor(const at::Tensor&) { return false; }
  static at::Tensor CastBackToOriFormat(const at::Tensor& tensor) { return tensor; }
  static c10::SmallVector<int64_t, 5> get_tensor_desc_base_sizes(const at::Tensor& tensor) {
    return {tensor.sizes().begin(), tensor.sizes().end()};
  }
  static bool IsCPUScalar(const at::Tensor&) { return false; }
  static void check_tensor(const std::initializer_list<at::Tensor>& inputs, at::Tensor& output,
                           at::ScalarType, c10::IntArrayRef size);
  static void check_tensor(const std::initializer_list<at::Tensor>& inputs, at::Tensor& output,
                           const at::Tensor& like, c10::IntArrayRef size) {
    check_tensor(inputs, output, like.scalar_type(), size);
  }

  /// Has arbitrary values, because torch_npu does not zero a new tensor.
  static at::Tensor apply_tensor_without_format(c10::IntArrayRef size, const c10::TensorOptions&);
  static at::Tensor apply_tensor_without_format(const at::Tensor& like, c10::IntArrayRef size) {
    return apply_tensor_without_format(size, like.options());
  }
  static at::Tensor apply_tensor_without_format(const at::Tensor& like) {
    return apply_tensor_without_format(like.sizes(), like.options());
  }
  static at::Tensor apply_tensor(const at::Tensor& like, c10::IntArrayRef size) {
    return apply_tensor_without_format(size, like.options());
  }
  static at::Tensor apply_tensor(const at::Tensor& like) {
    return apply_tensor_without_format(like);
  }

  static at::Tensor unsafe_empty_workspace(uint64_t size);
  static at::Tensor unsafe_empty_workspace(uint64_t size, aclrtStream);
  static int GetAclDataTypeItemSize(aclDataType type) {
    return static_cast<int>(aclDataTypeSize(type));
  }
  static int8_t get_cube_math_type() { return 0; }
  static int8_t get_cube_math_type(bool) { return 0; }
};
}  // namespace at_npu::native
