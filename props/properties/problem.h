// Problems: a call together with its data, for properties that ask related questions and compare
// the answers with each other instead of with the reference.
//
// Most of them use data on which every sum is exact in FLOAT. Then no order of summation, layout or
// type can change more than the one rounding at the end, and results must agree to the bit.
#pragma once

#include <optional>

#include "props/properties/property.h"

namespace gradproof::props {

struct Problem {
  Case c;
  std::vector<ref::Dense> data;
};

/// The case's call with whole numbers in [−largest, largest] for all floating data, and indices
/// that are all in range.
Problem integer_problem(const Case& c, double largest);
/// The same with exact sums: upsampling gets scales that are powers of two, or aligned corners, so
/// that its weights have few bits. Scales that fit are replaced by scales that fit.
Problem exact_problem(const Case& c, double largest = 2);
/// Whether the case is plain and so small that sums of small whole numbers are exact in FLOAT.
bool has_small_sums(const Case& c);
/// Whether exact_problem's sums are: weights with few bits, too.
bool can_be_exact(const Case& c);

/// Contiguous views at offset 0 in memory of their own for all tensors.
void make_plain(ref::Call& call);
/// Replaces what `tensor` holds, element by element.
void set_values(ref::Dense& tensor, const std::vector<long double>& values);
std::vector<long double> values_of(const ref::Dense& tensor);
/// Positive values, no two of a plane alike, for planes of up to kMostDistinct elements.
void make_distinct(ref::Dense& tensor, int plane_axes);
inline constexpr std::int64_t kMostDistinct = 31744;

/// The companion's call on the same problem, all layouts plain: a gradient's forward, which it must
/// have.
Case forward_of(const Case& backward);

/// gradInput, or out of a forward.
int result_slot(ref::Operator op);

/// Elements of a plane of that tensor.
std::int64_t plane_elements(const ref::Call& call, int slot);
/// The real type that results are rounded to, and bits of precision of a type.
std::int32_t result_type(const ref::Call& call);
int precision(std::int32_t real_type);

/// What the reference says of an output, in row-major order, component by component.
std::vector<ref::Exact> reference(const ref::Call& call, std::span<const ref::Dense> inputs,
                                  int slot, const ref::Numerics& numerics = {});

/// A valid call performed: its outputs by slot, or why there are none.
struct Run {
  bool ran = false;
  /// If it did not run. A wrong status is what `error-codes` and `equivalence` judge: for a
  /// property that compares results it means that there is nothing to compare.
  Verdict verdict;
  std::vector<ref::Dense> outputs;
};
Run perform(const Problem& problem, Bench& bench);
/// Tells that a check is about to make a call that is not the case's own (Bench::shown).
void note(const Case& c, Bench& bench);
/// Shows a call that was performed, if it is small enough to be read (Bench::shown).
void show(const Problem& problem, const std::vector<ref::Dense>& outputs, Bench& bench);
/// Shows the case's own call with what is right and what came out.
void show_own(const Case& c, const std::vector<ref::Dense>& data, const Outcome& outcome,
              Bench& bench);
/// Throws NotJudged if the problem is a pool's forward and the profile leaves open, or decides
/// otherwise, which of several equal maxima it reports: for properties that compare positions.
void demand_decided_maxima(const Problem& problem, Bench& bench);
/// Whether the library has the operator; a file may have some only.
bool has_operator(const Bench& bench, ref::Operator op);
/// That a check needs the operator, and the library does not have it.
Verdict lacks_operator(ref::Operator op);

/// Equal values in one output (zeros of either sign are equal, and so is any NaN to any other).
/// @param manner  how `got` was computed, for the finding: "with samples rotated"
/// @param otherwise  the same for `expected`
Verdict same_values(ref::Operator op, int slot, const ref::Dense& expected, const ref::Dense& got,
                    const std::string& manner,
                    const std::string& otherwise = "in the original call");
/// Performs both problems, which have the same outputs value by value.
Verdict same_results(const Problem& first, const Problem& second, const std::string& manner,
                     Bench& bench);

}  // namespace gradproof::props
