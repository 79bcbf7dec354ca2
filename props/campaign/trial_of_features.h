// Which features of a failing case the failure does not need, by trying.
#pragma once

#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/campaign/shrink_time.h"
#include "props/cases/describe/features.h"

namespace gradproof::campaign {

/// Features without which a case like it fails, too; and those of the simplest case, which any
/// small case has, unless a case without them was tried and passes. Where the deadline is over
/// before all were tried, only those without which a case that was tried fails.
props::Features unneeded(Checker& checker, const Failure& found, Deadline deadline);

}  // namespace gradproof::campaign
