// What a finding passes with: a pointer to what may be wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "props/campaign/causes.h"
#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/campaign/shrink_time.h"

namespace gradproof::campaign {

/// What of the profile's entries explains wrong values; nothing of a failure that does not repeat,
/// or where the deadline was over before all were tried.
Explanations explaining_entries(Checker& checker, const Failure& found, Deadline deadline);
/// "passes with the profile entry …".
std::string hint_of(const Explanations& entries);

/// Whether wrong values of strided tensors are right once these are contiguous, or a crash is gone.
/// False after the deadline: then nobody knows whether the failure is chance.
bool passes_contiguous(Checker& checker, const Failure& found, Deadline deadline);

/// As Causes::explaining. What passes with contiguous tensors, or with the profile entries that are
/// known to explain failures of the operator, belongs to these causes; what does not pass with the
/// entries does not.
std::optional<std::size_t> try_causes(Causes& causes, Checker& checker, const Failure& found,
                                      const props::Features& features,
                                      const props::Features& also = {});

/// All that is known to make failures of the cause pass, a sentence each.
std::vector<std::string> hints(const Causes::Cause& cause, const report::Question& question);

}  // namespace gradproof::campaign
