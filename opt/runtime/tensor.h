// The descriptors behind aclTensor and aclIntArray, and how the operators look them up.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "aclnn/acl_meta.h"

namespace gradproof {

/// What aclCreateTensor was given, unjudged; null strides have become contiguous ones (at most the
/// greatest int64: an empty view may have such extents).
struct Tensor {
  aclDataType dtype;
  aclFormat format;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  ///< in elements
  std::int64_t offset = 0;            ///< in elements
  std::vector<std::int64_t> storage;  ///< storage dimensions, in elements
  void* data = nullptr;
};

struct IntArray {
  std::vector<std::int64_t> values;
};

/// Null for a handle that is null, stale or foreign. The shared pointer keeps the object alive if
/// another thread destroys the handle meanwhile.
std::shared_ptr<const Tensor> find(const aclTensor* handle) noexcept;
std::shared_ptr<const IntArray> find(const aclIntArray* handle) noexcept;

}  // namespace gradproof
