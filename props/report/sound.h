// Whether what a report.json claims can be: its counts are counts, and they agree with each other.
// A file that was edited, cut or mixed up is refused before anything is added to it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "props/report/report.h"

namespace gradproof::report {

/// Throws InputError, which names the member, for a count that is no whole number from 0 on, or a
/// measure that is no number from 0 on.
void demand_counts(const nlohmann::ordered_json& json);

/// Throws InputError, which names the member, where sums do not add up.
void demand_sums(const Report& report);

/// Likewise for `totals` as the file has them.
void demand_totals(const Report& report, const nlohmann::ordered_json& totals);

}  // namespace gradproof::report
