// A failing case, performed once more in a new process.
#pragma once

#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/campaign/shrink_time.h"

namespace gradproof::campaign {

/// Whether the failure ended the library's process, which then is new. A hang is not waited for
/// once more.
bool ends_process(const Failure& found);

/// Whether the failing case passes in new processes, each time that it is tried. One failure may be
/// chance: threads that race.
bool passes_alone(Checker& checker, const Failure& found);

/// The verdict on the case in a new process. If it fails there in the same way, the failure has
/// that verdict from now on.
props::Verdict repeat(Checker& checker, Failure& found);

/// The failure as it is in a new process. Its text says if it is not seen there or, of a wrong
/// result, not in every run there, of those that begin before the deadline.
Failure alone(Checker& checker, Failure found, Deadline deadline);

}  // namespace gradproof::campaign
