// Judges one number against its exact value; the derivation is in the header.
#include "ref/bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::ref {
namespace {

constexpr long double kInf = std::numeric_limits<long double>::infinity();
constexpr double kNoRoom = std::numeric_limits<double>::infinity();

/// What roundings in a type depend on.
struct Format {
  int precision;        ///< bits
  int smallest_normal;  ///< as an exponent of 2
  long double unit_roundoff() const { return std::ldexp(1.0L, -precision); }
  long double normal() const { return std::ldexp(1.0L, smallest_normal); }
  long double subnormal() const { return std::ldexp(1.0L, smallest_normal - precision + 1); }
};
Format format_of(std::int32_t type) {
  switch (type) {
    case kDouble: return {53, -1022};
    case kFloat16: return {11, -14};
    case kBf16: return {8, -126};
    default: return {24, -126};
  }
}
/// Whether every value of `type` is one of `wide`.
bool holds(std::int32_t wide, std::int32_t type) {
  const Format w = format_of(wide), t = format_of(type);
  return w.precision >= t.precision && w.subnormal() <= t.subnormal() &&
         w.smallest_normal <= t.smallest_normal;
}

std::int32_t term_type(const BoundSpec& spec) {
  return spec.term_type == kDtypeUndefined ? spec.result_type : spec.term_type;
}

constexpr long double kReferenceRoundoff = std::numeric_limits<long double>::epsilon() / 2;

long double gamma(std::int64_t m, long double u) {
  const long double mu = static_cast<long double>(m) * u;
  return mu < 1 ? mu / (1 - mu) : std::expm1(static_cast<long double>(m) * std::log1p(u));
}

long double next_down(std::int32_t type, long double value) { return -next_up(type, -value); }

// The smallest number that rounds to +Inf: half a step above the largest finite value.
long double overflow_limit(std::int32_t type) {
  const long double largest = next_down(type, kInf);
  return largest + (largest - next_down(type, largest)) / 2;
}

// Half-width of the interval around the exact value of a sum with at least one term.
long double half_width(const Exact& e, const BoundSpec& spec) {
  const bool rounds_terms = !holds(spec.sum_type, term_type(spec));
  const Format sums = format_of(spec.sum_type);
  const long double u = sums.unit_roundoff();
  long double size = e.magnitude, width = 0;
  std::int64_t n = e.terms, roundings = std::max<std::int64_t>(n - 1, 0);
  const bool weighted = spec.arithmetic == Arithmetic::weighted;
  if (weighted) {
    if (spec.numerics.coordinates != kDtypeUndefined) {
      width = spec.weight_error * e.unweighted;
      size += width;
      n += e.near;
    }
    width += static_cast<long double>(n) * sums.subnormal();
    if (spec.numerics.accumulation != kDtypeUndefined) width += 2 * sums.subnormal() * e.unweighted;
    roundings = n + 3;
  }
  const auto count = static_cast<long double>(n);
  if (rounds_terms) {
    ++roundings;
    width += count * sums.subnormal() / 2;
  }
  if (spec.numerics.flushes_subnormals) {
    const long double terms = weighted ? e.unweighted : e.magnitude;
    width += std::min(terms, count * format_of(term_type(spec)).normal()) + count * sums.normal();
    if (weighted) width += 3 * sums.normal() * e.unweighted;
  }
  if (roundings == 0 && width == 0) return 0;
  if (size == 0) return width;  // also where so many terms make γ Inf
  return width + (gamma(roundings, u) + gamma(n + 8, kReferenceRoundoff)) * size;
}

// Which infinities the partial sums of an implementation may reach.
struct Overflow {
  bool up = false, down = false;
};
Overflow overflow(const Exact& e, const BoundSpec& spec) {
  const long double limit = overflow_limit(spec.sum_type),
                    u = format_of(spec.sum_type).unit_roundoff();
  const int own = holds(spec.sum_type, term_type(spec)) ? 0 : 1;  // a term's own rounding
  if (spec.arithmetic == Arithmetic::weighted) {
    const bool any = e.unweighted * (1 + gamma(e.terms + 3 + own, u)) >= limit;
    return {any, any};
  }
  // Σ|t| and Σt give the positive and the negative terms apart, unless Σt is infinite itself.
  const long double sum = std::isfinite(e.value) ? e.value : 0;
  const long double half = std::isfinite(e.value) ? e.magnitude / 2 : e.magnitude;
  const long double positive = half + sum / 2, negative = half - sum / 2;
  // Roundings among the terms of one sign.
  const std::int64_t n =
      std::max<std::int64_t>(e.terms - (positive > 0 && negative > 0 ? 2 : 1), 0) + own;
  return {positive * (1 + gamma(n, u)) >= limit, negative * (1 + gamma(n, u)) >= limit};
}

// The end, nearest to `value`, of the reals that round to `result`, another value of the type.
long double nearest_preimage(std::int32_t type, long double result, long double value) {
  if (result > value) {
    if (result == kInf) return overflow_limit(type);
    const long double below = next_down(type, result);
    return below == -kInf ? -overflow_limit(type) : below + (result - below) / 2;
  }
  return -nearest_preimage(type, -result, -value);
}

Judgement verdict(bool right, long double low, long double high) {
  return {right, right ? 0 : kNoRoom, low, high};
}

}  // namespace

Judgement judge(const Exact& e, long double result, const BoundSpec& spec) {
  const long double value = e.value;
  if (spec.numerics.coordinates != kDtypeUndefined && e.near_non_finite)
    return verdict(true, -kInf, kInf);
  if (spec.numerics.zero_times_infinity && std::isnan(result) &&
      (e.zero_non_finite || std::isinf(value)))
    return verdict(true, value, value);
  if (spec.arithmetic == Arithmetic::exact || std::isnan(value)) {
    return verdict(value == result || (std::isnan(value) && std::isnan(result)), value, value);
  }
  // Most results are the correctly rounded one; the rest of the arithmetic is for those that are
  // not.
  const long double nearest = std::isinf(value) ? value : round_to(spec.result_type, value);
  if (result == nearest) return verdict(true, nearest, nearest);
  const Overflow may = overflow(e, spec);
  if (std::isinf(value)) {
    const bool cancelled = std::isnan(result) && (value > 0 ? may.down : may.up);
    return verdict(cancelled, value, value);
  }
  const long double width = half_width(e, spec);
  const long double low = round_to(spec.result_type, value - width);
  const long double high = round_to(spec.result_type, value + width);
  if (spec.numerics.flushes_subnormals && result == 0 &&
      std::fabs(value) - width < format_of(spec.result_type).normal())
    return verdict(true, std::min(low, 0.0L), std::max(high, 0.0L));
  if (std::isnan(result)) return verdict(may.up && may.down, low, high);
  if ((result == kInf && may.up) || (result == -kInf && may.down)) return verdict(true, low, high);
  if (round_to(spec.result_type, result) != result) return verdict(false, low, high);

  Judgement j{low <= result && result <= high, 0, low, high};
  const long double distance = std::fabs(nearest_preimage(spec.result_type, result, value) - value);
  const double fraction = width > 0 ? static_cast<double>(distance / width) : kNoRoom;
  // Rounding of the quotient must not contradict the verdict.
  j.fraction = j.right ? std::min(fraction, 1.0) : std::max(fraction, std::nextafter(1.0, 2.0));
  return j;
}

}  // namespace gradproof::ref
