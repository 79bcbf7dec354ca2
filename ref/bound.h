// The error bound: which results are right for an exact value, computed from the data.
//
// n terms added in a type of unit roundoff u, in any order and grouping, give a sum within
// γ(n−1)·Σ|t| of the exact one before it is rounded to the result type, γ(m) = m·u/(1−m·u); from
// m·u = 1 on, where that says nothing, (1+u)^m − 1, which it is an estimate of: a term meets at
// most m roundings. A single term is exact. Weighted sums get γ(n+3) for the roundings of weights
// and products too, and n·2⁻¹⁴⁹ for underflow. A result is right if some number of that interval
// rounds to it.
//
// The reference's own roundings are in the interval as γ(n+8)·Σ|t| in long double (n sums, and a
// few for the products of a term, for Σ|t| and for the interval's ends): 2⁻¹¹ or less of the rest.
//
// Overflow. Partial sums in the sum type may reach +Inf if the positive terms together, with their
// own roundings, reach the number from which that type rounds to Inf, −Inf likewise for the
// negative ones, and NaN if both: then these are right as well. For weighted sums Σ|factor| before
// weighting is compared, since rows may be summed before the columns' weights make them smaller,
// and all three are right together. By the same reasoning NaN may stand for an expected ±Inf.
// Otherwise an expected NaN needs a NaN, an expected Inf the same Inf. −0 equals +0.
//
// Accuracy::device. Coordinates and weights computed in FLOAT change a product of two weights by at
// most ε = Evaluation::weight_error (6 roundings of a coordinate below n_in, on both axes), so with
// W = ε·Σ|factor| over the factors that have a weight, or may get one, the sum of the N = n + near
// of them lies within γ(N+3)·(Σ|t| + W) + W + N·2⁻¹⁴⁹. Where a NaN or Inf may have either a weight
// or none, anything is right. Extents beyond 2²¹, where ε nears 1, are beyond such hardware.
#pragma once

#include "ref/exact.h"

namespace gradproof::ref {

/// Which implementations are judged fairly: `contract` is "Numbers" in docs/contract.md; `device`
/// is for hardware that also computes coordinates and weights in FLOAT and sums in any order.
enum class Accuracy : std::uint8_t { contract, device };

struct Judgement {
  bool right = false;
  /// Distance of the exact value from the reals that round to the result, as a fraction of the
  /// interval's half-width: 0 for the correctly rounded result, at most 1 when right, more when
  /// wrong, +Inf when there is no room at all (or NaN/Inf do not match).
  double fraction = 0;
  /// The smallest and largest right result (overflow may make ±Inf and NaN right besides). Where
  /// the result is the correctly rounded one the ends are not computed, and both are it.
  long double low = 0, high = 0;
};

struct BoundSpec {
  Arithmetic arithmetic = Arithmetic::sum;
  std::int32_t sum_type = 0;
  std::int32_t result_type = 0;
  Accuracy accuracy = Accuracy::contract;
  double weight_error = 0;  ///< Evaluation::weight_error; only Accuracy::device asks
};

Judgement judge(const Exact& exact, long double result, const BoundSpec& spec);

}  // namespace gradproof::ref
