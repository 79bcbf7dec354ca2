// Which features of a failing case the failure does not need, by trying.
#pragma once

#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/cases/describe/features.h"

namespace gradproof::campaign {

/// Features without which a case like it fails, too; and those of the simplest case, which any
/// small case has, unless a case without them was tried and passes.
props::Features unneeded(Checker& checker, const Failure& found);

}  // namespace gradproof::campaign
