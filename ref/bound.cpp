// Judges one number against its exact value; the derivation stands in the header.
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

long double unit_roundoff(std::int32_t sum_type) {
  return sum_type == kDouble ? 0x1p-53L : 0x1p-24L;
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
  if (spec.arithmetic == Arithmetic::sum && e.terms <= 1) return 0;
  const long double u = unit_roundoff(spec.sum_type);
  long double size = e.magnitude, width = 0;
  std::int64_t n = e.terms, roundings = n - 1;
  if (spec.arithmetic == Arithmetic::weighted) {
    if (spec.accuracy == Accuracy::device) {
      width = spec.weight_error * e.unweighted;
      size += width;
      n += e.near;
    }
    width += static_cast<long double>(n) * 0x1p-149L;
    roundings = n + 3;
  }
  if (size == 0) return width;  // also where so many terms make γ Inf
  return width + (gamma(roundings, u) + gamma(n + 8, kReferenceRoundoff)) * size;
}

// Which infinities the partial sums of an implementation may reach.
struct Overflow {
  bool up = false, down = false;
};
Overflow overflow(const Exact& e, const BoundSpec& spec) {
  const long double limit = overflow_limit(spec.sum_type), u = unit_roundoff(spec.sum_type);
  if (spec.arithmetic == Arithmetic::weighted) {
    const bool any = e.unweighted * (1 + gamma(e.terms + 3, u)) >= limit;
    return {any, any};
  }
  // Σ|t| and Σt give the positive and the negative terms apart, unless Σt is infinite itself.
  const long double sum = std::isfinite(e.value) ? e.value : 0;
  const long double half = std::isfinite(e.value) ? e.magnitude / 2 : e.magnitude;
  const long double positive = half + sum / 2, negative = half - sum / 2;
  // Roundings among the terms of one sign.
  const std::int64_t n =
      std::max<std::int64_t>(e.terms - (positive > 0 && negative > 0 ? 2 : 1), 0);
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
  const bool device = spec.accuracy == Accuracy::device;
  if (device && e.near_non_finite) return verdict(true, -kInf, kInf);
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
