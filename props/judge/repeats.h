// Results of several runs that should have the same bits.
#pragma once

#include <string>

#include "props/judge/verdict.h"

namespace gradproof::props {

/// Whether two results of one type differ only where both are NaN.
bool differ_in_nans_alone(const ref::Dense& a, const ref::Dense& b);

/// The first difference of two results: "gradInput[0,1] differs MANNER: 1 and 2".
std::string difference(const ref::Call& call, int slot, const ref::Dense& a, const ref::Dense& b,
                       const std::string& manner);

/// Violated if runs of one repeatable executor differ in more than the profile allows for.
Verdict judge_repeats(const Case& c, const Outcome& run, const profiles::Terms& terms,
                      profiles::Use* use);

}  // namespace gradproof::props
