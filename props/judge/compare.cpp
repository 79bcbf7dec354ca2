// Compares an output with the reference, plane by plane and in parallel.
#include "props/judge/compare.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <system_error>
#include <thread>

#include "props/cases/counted.h"
#include "props/cases/data/outside.h"
#include "props/cases/processors.h"
#include "props/judge/numbers.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kShown = 6;
/// Errors of so many units in the last place are called rounding too.
constexpr long double kFewUnits = 8;
/// Below this many values a thread costs more than it saves.
constexpr std::int64_t kWorthThreads = 1 << 15;

bool before(const Difference& a, const Difference& b) {
  return a.position != b.position ? a.position < b.position : a.component < b.component;
}

/// Whether the error is one of rounding: small, or what sums rounded to the result's type may have.
/// The bound of a result that is exact is 0: there, units in the last place count.
bool is_close(const Difference& d, const ref::BoundSpec& spec, std::int32_t type) {
  if (d.judgement.fraction <= kRounding) return true;
  const long double exact = d.exact.value, got = d.got;
  if (!ref::is_floating(type)) return false;
  ref::BoundSpec narrow = spec;
  narrow.sum_type = narrow.numerics.accumulation = spec.result_type;
  if (ref::judge(d.exact, got, narrow).right) return true;  // may overflow on the way
  if (std::isnan(got) || !std::isfinite(exact)) return false;
  const long double at = std::fabs(ref::round_to(type, exact));
  const long double few = kFewUnits * (ref::next_up(type, at) - at);
  if (std::isinf(got))  // rounded up beyond the largest number
    return std::signbit(got) == std::signbit(exact) && std::isinf(ref::round_to(type, at + few));
  return at > 0 && std::isfinite(few) && std::fabs(got - exact) <= few;
}

/// Judges each value of a plane that is not replaced: `judged(difference)`, wrong or not.
template <class Judged>
void each_value(const ref::Plane& plane, const ref::Dense& output, const ref::BoundSpec& spec,
                const std::vector<bool>& replaced, const Judged& judged) {
  const std::int64_t parts = ref::components(output.dtype);
  const std::int32_t type = ref::component_type(output.dtype);
  for (std::size_t i = 0; i < plane.values.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const std::int64_t position = plane.first + index / parts * plane.step;
    if (!replaced.empty() && replaced[static_cast<std::size_t>(position)]) continue;
    const long double got = ref::load(output.bytes.data(), type, position * parts + index % parts);
    judged(Difference{position, static_cast<int>(index % parts), plane.values[i],
                      ref::judge(plane.values[i], got, spec), got});
  }
}

void judge_plane(const ref::Plane& plane, const ref::Dense& output, const ref::BoundSpec& spec,
                 const std::vector<bool>& replaced, Comparison& result) {
  const std::int32_t type = ref::component_type(output.dtype);
  each_value(plane, output, spec, replaced, [&](const Difference& d) {
    ++result.values;
    result.worst_fraction = std::max(result.worst_fraction, d.judgement.fraction);
    if (d.judgement.right) return;
    ++result.wrong;
    result.not_written += never_written(output, d.position);
    result.from_outside += is_from_outside(output, d.position);
    result.nans += std::isnan(d.got) != std::isnan(d.exact.value);
    result.close += is_close(d, spec, type);
    if (result.first.size() == kShown && !before(d, result.first.back())) return;
    result.first.insert(std::upper_bound(result.first.begin(), result.first.end(), d, before), d);
    if (result.first.size() > kShown) result.first.pop_back();
  });
}

void merge(Comparison& into, const Comparison& from) {
  into.values += from.values;
  into.wrong += from.wrong;
  into.not_written += from.not_written;
  into.from_outside += from.from_outside;
  into.nans += from.nans;
  into.close += from.close;
  into.worst_fraction = std::max(into.worst_fraction, from.worst_fraction);
  into.first.insert(into.first.end(), from.first.begin(), from.first.end());
  std::sort(into.first.begin(), into.first.end(), before);
  if (into.first.size() > kShown) into.first.resize(kShown);
}

/// ": got 1.5", or where that is from.
std::string got(const ref::Dense& output, const Difference& d, std::int32_t type) {
  if (never_written(output, d.position)) return ": never written";
  const std::string number = ": got " + props::number(d.got, type);
  return is_from_outside(output, d.position) ? number + ", read outside the elements of an input"
                                             : number;
}

}  // namespace

ref::BoundSpec bound_of(const ref::Evaluation& evaluation, int slot,
                        const ref::Numerics& numerics) {
  return {evaluation.arithmetic(slot),   evaluation.sum_type(slot),
          evaluation.result_type(slot),  numerics,
          evaluation.weight_error(slot), evaluation.term_type(slot)};
}

bool never_written(const ref::Dense& output, std::int64_t position) {
  if (output.dtype == ref::kInt8) return false;
  const auto size = static_cast<std::ptrdiff_t>(ref::dtype_size(output.dtype));
  const auto first = output.bytes.begin() + position * size;
  return std::all_of(first, first + size, [](std::byte b) { return b == std::byte{0xFF}; });
}

std::string look(const Comparison& c) {
  if (c.wrong == 0) return "";
  if (c.not_written == c.wrong) return "not written";
  if (c.from_outside == c.wrong) return std::string(kReadOutside);
  if (c.close == c.wrong) return "rounding";
  return c.nans > c.not_written + c.from_outside ? "NaN" : "";
}

Comparison compare(const ref::Evaluation& evaluation, int slot, const ref::Dense& output,
                   const ref::Numerics& numerics, const std::vector<bool>& replaced) {
  const ref::BoundSpec spec = bound_of(evaluation, slot, numerics);
  const std::int64_t planes = evaluation.plane_count(slot);
  const auto elements =
      static_cast<std::int64_t>(output.bytes.size()) / std::max(ref::dtype_size(output.dtype), 1);
  const std::int64_t useful =
      elements < kWorthThreads ? 1 : std::min<std::int64_t>(planes, processors());
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(useful, 1));

  std::vector<Comparison> parts(count);
  std::vector<std::exception_ptr> thrown(
      count);  // such as memory that ran out: the caller's to hear
  std::atomic<std::int64_t> next{0};
  const auto work = [&](std::size_t worker) {
    try {
      for (std::int64_t i = next++; i < planes; i = next++)
        judge_plane(evaluation.plane(slot, i), output, spec, replaced, parts[worker]);
    } catch (...) {
      thrown[worker] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(count - 1);
    try {
      for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work, i);
    } catch (const std::system_error&) {
      // The system has no more threads: those that there are judge all planes.
    }
    work(0);
  }
  for (const std::exception_ptr& one : thrown) {
    if (one) std::rethrow_exception(one);
  }

  Comparison result;
  for (const Comparison& part : parts) merge(result, part);
  return result;
}

std::set<std::int64_t> wrong_elements(const ref::Evaluation& evaluation, int slot,
                                      const ref::Dense& output, const ref::Numerics& numerics,
                                      const std::vector<bool>& replaced) {
  const ref::BoundSpec spec = bound_of(evaluation, slot, numerics);
  std::set<std::int64_t> wrong;
  for (std::int64_t p = 0; p < evaluation.plane_count(slot); ++p) {
    each_value(evaluation.plane(slot, p), output, spec, replaced, [&](const Difference& d) {
      if (!d.judgement.right) wrong.insert(d.position);
    });
  }
  return wrong;
}

std::string describe(const Comparison& comparison, std::string_view name, const ref::Dense& output,
                     std::int32_t result_type) {
  const std::int32_t type = ref::component_type(output.dtype);
  const std::int32_t shown_as = ref::is_floating(type) ? result_type : type;
  std::string text = std::string(name) + " differs in " + std::to_string(comparison.wrong) +
                     " of " + counted(static_cast<std::uint64_t>(comparison.values), "value") +
                     "; the first:";
  for (const Difference& d : comparison.first) {
    const char* part = ref::components(output.dtype) == 1 ? "" : d.component == 0 ? ".re" : ".im";
    text += "\n  " + std::string(name) + coordinates(d.position, output.shape) + part +
            got(output, d, type) + ", exact " + number(d.exact.value, type) + " (" +
            counted(static_cast<std::uint64_t>(d.exact.terms), "term") + "), allowed [" +
            number(d.judgement.low, type) + ", " + number(d.judgement.high, type) + "]";
    if (never_written(output, d.position)) continue;
    const std::string distance = ulps(d.exact.value, d.got, shown_as);
    if (!distance.empty()) text += ", off by " + distance;
  }
  return text;
}

}  // namespace gradproof::props
