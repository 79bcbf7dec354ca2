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
// Numerics: what an implementation is known to do otherwise widens the interval by what that can
// change, and by nothing else. η is the smallest subnormal number of the sum type, ν its smallest
// normal one.
// - coordinates: coordinates and weights computed in FLOAT, or otherwise in DOUBLE, change a
// product of two weights by
//   at most ε = Evaluation::weight_error (6 roundings of a coordinate below n_in, on both axes), so
//   with W = ε·Σ|factor| over the factors that have a weight, or may get one, the sum of the
//   N = n + near of them lies within γ(N+3)·(Σ|t| + W) + W + N·2⁻¹⁴⁹. Where a NaN or Inf may have
//   either a weight or none, anything is right. Extents beyond 2²¹, where ε nears 1, are beyond
//   such hardware.
// - accumulation: u, η and the number from which partial sums are Inf are those of that type. If it
//   does not hold every value of the terms' type, each term is rounded too: one rounding more, and
//   n·η/2 for the terms' underflow (sums of multiples of η do not underflow). Weighted sums in
//   another type than FLOAT have n·η for underflow of terms, and 2η·Σ|factor| for that of weights.
// - flushes_subnormals: a term becomes 0 only if it is subnormal in its type, which takes away
//   min(Σ|t|, n·ν(term type)) at most, and each of the n sums less than ν; weighted, 3ν·Σ|factor|
//   for the weights too. A result of 0 is right if the interval holds a number that is subnormal in
//   the result's type.
// - zero_times_infinity: NaN is right where a NaN or Inf has a weight of exactly 0, and instead of
// an
//   infinity, as a neighbour beyond the border is the border again.
#pragma once

#include "ref/exact.h"

namespace gradproof::ref {

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
  Numerics numerics;
  double weight_error = 0;  ///< Evaluation::weight_error; only with Numerics::coordinates
  std::int32_t term_type = kDtypeUndefined;  ///< kDtypeUndefined: result_type
};

Judgement judge(const Exact& exact, long double result, const BoundSpec& spec);

}  // namespace gradproof::ref
