// Failures that need an earlier call: scratch or a table in which a kernel keeps data.
#pragma once

#include <chrono>

#include "props/campaign/checker.h"
#include "props/campaign/finding.h"

namespace gradproof::campaign {

/// The failure with an earlier call after which it fails in a new process as well, both shrunk; and
/// with text that says so. If no single call is enough, the text alone.
Failure with_earlier_call(Checker& checker, Failure found, std::chrono::milliseconds limit);

}  // namespace gradproof::campaign
