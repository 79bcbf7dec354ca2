// Findings at the end of a campaign: causes that turned out to be one become one finding.
#pragma once

#include "props/campaign/causes.h"
#include "props/report/report.h"

namespace gradproof::campaign {

/// Joins and orders the report's failures, of which the first ones are those of the causes, in the
/// same order.
void join_alike(Causes& causes, report::Report& report);

}  // namespace gradproof::campaign
