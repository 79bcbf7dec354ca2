// Failures that need an earlier call: scratch or a table in which a kernel keeps data.
#pragma once

#include <chrono>
#include <vector>

#include "props/campaign/checker.h"
#include "props/campaign/finding.h"

namespace gradproof::campaign {

/// The failure with an earlier call after which it fails in a new process as well, both shrunk; and
/// with text that says so. If no single call is enough, the text alone.
/// @param earlier  the calls before it; the last ones are tried first
Failure with_earlier_call(Checker& checker, Failure found, std::vector<props::Case> earlier,
                          std::chrono::milliseconds limit);

}  // namespace gradproof::campaign
