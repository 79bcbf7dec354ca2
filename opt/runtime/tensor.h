// The descriptors behind aclTensor and aclIntArray, and how the operators look them up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "aclnn/acl_meta.h"
#include "opt/runtime/handle_table.h"
#include "opt/runtime/plan_key.h"
#include "opt/runtime/shared_value.h"

namespace gradproof {

/// Numbers that are kept elsewhere, compared by value.
struct Numbers : std::span<const std::int64_t> {
  using span::span;
  friend bool operator==(const Numbers& a, const Numbers& b) { return std::ranges::equal(a, b); }
  friend bool operator==(const Numbers& a, const std::vector<std::int64_t>& b) {
    return std::ranges::equal(a, b);
  }
};

/// What aclCreateTensor was given, unjudged; null strides have become contiguous ones (at most the
/// greatest int64: an empty view may have such extents).
struct Tensor {
  aclDataType dtype;
  aclFormat format;
  Numbers shape;
  Numbers strides;                          ///< in elements
  Numbers storage;                          ///< storage dimensions, in elements
  std::int64_t offset = 0;                  ///< in elements
  std::unique_ptr<std::int64_t[]> numbers;  ///< of the three above, in one block

  // What follows from the above, so that not every call finds it out anew.
  std::int64_t elements = 0;  ///< 0 if an extent is below 1 or the product does not fit
  bool whole = false;         ///< those are all of the storage, in row-major order

  /// Copies the numbers. Null strides: contiguous ones.
  void take(Numbers view, const std::int64_t* view_strides, Numbers storage_dims);
  /// Finds out what follows.
  void conclude();
  /// Tells all of a tensor that is whole; has no hash of another.
  KeyPart key() const;
};

template <>
struct Beside<const Tensor> {
  SharedValue<void*> data;  ///< all of a live tensor that ever changes
  KeyPart key;
};

template <class T>
struct Array {
  std::vector<T> values;
};
using IntArray = Array<std::int64_t>;

template <>
struct Beside<const IntArray> {
  KeyPart key;
};

extern HandleTable<const Tensor> tensors;
extern HandleTable<const IntArray> int_arrays;

/// Nothing for a handle that is null, stale or foreign.
inline Pin<const Tensor> find(const aclTensor* handle) noexcept { return tensors.find(handle); }
inline Pin<const IntArray> find(const aclIntArray* handle) noexcept {
  return int_arrays.find(handle);
}

}  // namespace gradproof
