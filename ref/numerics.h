// How an implementation is known to compute where it differs from "Numbers" in docs/formulas.md.
//
// The default is the contract. Each deviation widens what is right by a derivation (bound.h), or
// names another result that is as exact; none of them is a factor on a tolerance.
#pragma once

#include <cstdint>

#include "ref/types.h"

namespace gradproof::ref {

/// Which of several equal maxima, or of several NaNs, a pool reports.
enum class Winner : std::uint8_t {
  first,
  last,
  any,  ///< whichever holds the maximum: positions are judged by what they hold
};

/// When a positive scale of upsampling counts on products that use scales.
enum class Scales : std::uint8_t {
  each,  ///< always
  both,  ///< if the scales of both axes fit the sizes (scales.h)
};

struct Numerics {
  /// The type that coordinates and weights of upsampling are computed in, in any order of
  /// operations: FLOAT or DOUBLE; kDtypeUndefined: the contract's formula, in DOUBLE.
  std::int32_t coordinates = kDtypeUndefined;
  /// The type that terms are added in; kDtypeUndefined: the contract's.
  std::int32_t accumulation = kDtypeUndefined;
  bool flushes_subnormals = false;   ///< of inputs, intermediate sums and results
  bool zero_times_infinity = false;  ///< a weight of 0 times NaN or Inf is added, which makes NaN
  Winner ties = Winner::first, nans = Winner::first;
  bool drops_out_of_window = false;  ///< an index inside the plane, outside its window, is ignored
  Scales scales = Scales::each;

  friend bool operator==(const Numerics&, const Numerics&) = default;
};

}  // namespace gradproof::ref
