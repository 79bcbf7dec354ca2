// The error bound: which results are right for an exact value, computed from the data.
//
// n terms added in a type of unit roundoff u give a sum within γ(n−1)·Σ|t| of the exact one before
// it is rounded to the result type, γ(m) = m·u/(1−m·u); weighted sums get γ(n+3) and n·2⁻¹⁴⁹ for
// underflow. A result is right if some number of that interval rounds to it.
#pragma once

#include "ref/exact.h"

namespace gradproof::ref {

/// Which implementations are judged fairly: `contract` is section 10 of the contract; `device` is
/// for hardware that also computes coordinates and weights in FLOAT and sums in any order.
enum class Accuracy : std::uint8_t { contract, device };

struct Judgement {
  bool right = false;
  /// Distance of the exact value from the reals that round to the result, as a fraction of the
  /// interval's half-width: 0 for the correctly rounded result, at most 1 when right, +Inf when
  /// there is no room at all (or NaN/Inf do not match).
  double fraction = 0;
  long double low = 0, high = 0;  ///< the smallest and largest right result
};

struct BoundSpec {
  Arithmetic arithmetic = Arithmetic::sum;
  std::int32_t sum_type = 0;
  std::int32_t result_type = 0;
  Accuracy accuracy = Accuracy::contract;
};

Judgement judge(const Exact& exact, long double result, const BoundSpec& spec);

}  // namespace gradproof::ref
