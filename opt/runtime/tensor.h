// The descriptors behind aclTensor and aclIntArray, and how the operators look them up.
#pragma once

#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"
#include "opt/runtime/address.h"
#include "opt/runtime/handle_table.h"
#include "opt/runtime/plan_key.h"

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
  mutable Address data;               ///< all of a live tensor that ever changes

  // What follows from the above, so that not every call finds it out anew.
  std::int64_t elements = 0;  ///< 0 if an extent is below 1 or the product does not fit
  bool whole = false;         ///< those are all of the storage, in row-major order
  KeyPart key{};              ///< tells all of a tensor that is whole

  /// Finds out what follows.
  void conclude();
};

template <class T>
struct Array {
  std::vector<T> values;
};
template <>
struct Array<std::int64_t> {
  std::vector<std::int64_t> values;
  KeyPart key{};
};
using IntArray = Array<std::int64_t>;

extern HandleTable<const Tensor> tensors;
extern HandleTable<const IntArray> int_arrays;

/// Nothing for a handle that is null, stale or foreign.
inline Pin<const Tensor> find(const aclTensor* handle) noexcept { return tensors.find(handle); }
inline Pin<const IntArray> find(const aclIntArray* handle) noexcept {
  return int_arrays.find(handle);
}

}  // namespace gradproof
