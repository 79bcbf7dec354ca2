// What is done with a finding while a run goes on.
#pragma once

#include "props/campaign/progress.h"
#include "props/campaign/settings.h"
#include "props/campaign/tally.h"
#include "props/report/findings.h"

namespace gradproof::campaign {

/// Counts a finding and announces it, unless another job has told one like it. Whether it did.
bool tell_found(const report::Failure& found, const Settings& settings, Tally& tally,
                Progress& progress);

}  // namespace gradproof::campaign
