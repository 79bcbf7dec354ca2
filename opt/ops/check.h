// The rules that hold for every operator (docs/contract.md, "Rules of phase 1"), in checking order.
// Each function assumes that the rules before it hold.
#pragma once

#include <array>
#include <initializer_list>

#include "opt/ops/conformance.h"
#include "opt/runtime/config.h"

namespace gradproof::ops {

/// **null-argument**, then **handle** (a pointer that is not, or no longer, a live handle). Looks
/// the arguments up.
Status check_handles(const Call& call);

/// Value types of one operator on each product, by the product's number; none: it is not there.
using ProductTypes = std::array<std::span<const aclDataType>, 4>;

/// **platform**, then **dtype**.
Status check_types(const Call& call, const ProductTypes& types);

/// **format**: `accepts` decides by format and rank.
Status check_formats(const Call& call,
                     bool (*accepts)(const Call& call, aclFormat format, int rank));

/// **rank**.
Status check_ranks(const Call& call, int low, int high);

/// **dim-value**: no negative extent, no zero but where `may_be_zero(rank, axis)`, and element and
/// byte counts that fit.
Status check_extents(const Call& call, bool (*may_be_zero)(int rank, int axis));

/// **array-length**: `array` has one of the lengths.
Status refuse_length(const Call& call, const ArrayArgument& array,
                     std::initializer_list<std::size_t> lengths);
inline Status check_length(const Call& call, const ArrayArgument& array,
                           std::initializer_list<std::size_t> lengths) {
  for (std::size_t length : lengths) {
    if (array.size() == length) return {};
  }
  return refuse_length(call, array, lengths);
}

/// `rule`: every value of `array` is at least `low`.
Status check_at_least(const Call& call, std::string_view rule, const ArrayArgument& array,
                      std::int64_t low);

/// **shape**: two tensors of one rank have one shape; agree in the first `axes` extents; in one.
Status check_same_shape(const Call& call, const TensorArgument& a, const TensorArgument& b);
Status check_same_extents(const Call& call, const TensorArgument& a, const TensorArgument& b,
                          int axes);
Status refuse_extent(const Call& call, const TensorArgument& a, const TensorArgument& b, int axis);
inline Status check_same_extent(const Call& call, const TensorArgument& a, const TensorArgument& b,
                                int axis) {
  if (a->shape[axis] == b->shape[axis]) return {};
  return refuse_extent(call, a, b, axis);
}

/// **shape**: one extent of `a` is what a value of an int array says.
Status check_sized(const Call& call, const TensorArgument& a, int axis, const ArrayArgument& sizes,
                   int i);

/// **shape**: one extent of `a`, which **dim-value** has found to be at least 1, is `expected`;
/// `why()` is the message's end.
template <class Why>
Status check_extent(const Call& call, const TensorArgument& a, int axis, Wide expected, Why why) {
  if (a->shape[axis] == expected) return {};
  return refuse(call, "shape", a.name, "[", axis, "] is ", a->shape[axis], ", must be ", expected,
                expected < 1 ? " and at least 1: " : ": ", why());
}

/// **view**, **output-overlap**, **alias**.
Status check_memory(const Call& call);

}  // namespace gradproof::ops
