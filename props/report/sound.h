// Consistency checks of a report.json: counts are valid and agree with each other. A file that was
// edited or truncated is refused before it is merged.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "props/report/report.h"

namespace gradproof::report {

/// Throws InputError, which names the member, for a count that is not a non-negative integer, or a
/// measure that is not a non-negative number.
void demand_counts(const nlohmann::ordered_json& json);

/// Throws InputError, which names the member, if sums do not agree.
void demand_sums(const Report& report);

/// The same for the member `totals` of the file.
void demand_totals(const Report& report, const nlohmann::ordered_json& totals);

}  // namespace gradproof::report
