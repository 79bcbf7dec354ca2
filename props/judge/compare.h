// One output of a call against the reference, element by element.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ref/bound.h"

namespace gradproof::props {

/// A wrong value.
struct Difference {
  std::int64_t position = 0;  ///< row-major, of the element
  int component = 0;          ///< 1 for the imaginary part
  ref::Exact exact;
  ref::Judgement judgement;
  long double got = 0;
};

struct Comparison {
  std::int64_t values = 0;  ///< real numbers compared
  std::int64_t wrong = 0;
  /// Of the wrong ones: still the bytes that were there before the call (0xFF); NaN that was read
  /// beside the elements of an input; NaN in place of a number, or the reverse; an error of
  /// rounding.
  std::int64_t not_written = 0, from_outside = 0, nans = 0, close = 0;
  double worst_fraction = 0;
  std::vector<Difference> first;  ///< the first few wrong ones by position
};

/// Errors of so many bounds are called rounding. So are those that sums in the result's type may
/// have.
inline constexpr double kRounding = 64;

inline constexpr std::string_view kReadOutside = "read outside";
/// How a failure looks that needs an earlier call, whatever the values (campaign/earlier_call.h).
inline constexpr std::string_view kEarlierCall = "depends on an earlier call";
/// What all wrong values look like: "not written", "read outside", "rounding"; "NaN" if some others
/// are NaN, or should be; "" for all else.
std::string look(const Comparison& comparison);

/// How the values of an output are judged.
ref::BoundSpec bound_of(const ref::Evaluation& evaluation, int slot, const ref::Numerics& numerics);

/// Planes are judged by several threads where there are enough values; the result does not depend
/// on how many. Elements that a later one replaces (replaced_elements in props/cases/data/data.h)
/// are left out.
Comparison compare(const ref::Evaluation& evaluation, int slot, const ref::Dense& output,
                   const ref::Numerics& numerics = {}, const std::vector<bool>& replaced = {});

/// Elements that are wrong as the numerics say, by their row-major positions.
std::set<std::int64_t> wrong_elements(const ref::Evaluation& evaluation, int slot,
                                      const ref::Dense& output, const ref::Numerics& numerics,
                                      const std::vector<bool>& replaced);
/// Whether the element has still the bytes that were there before the call. A byte of a mask, which
/// may be 0xFF, never counts as such.
bool never_written(const ref::Dense& output, std::int64_t position);

/// "gradInput differs in 3 of 24 values; the first:" and a line for each.
std::string describe(const Comparison& comparison, std::string_view name, const ref::Dense& output,
                     std::int32_t result_type);

}  // namespace gradproof::props
