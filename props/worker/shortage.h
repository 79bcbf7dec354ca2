// Telling a host that is short of threads from a library that fails.
#pragma once

#include "props/judge/verdict.h"

namespace gradproof::props {

/// Throws HostError if what failed, failed for want of threads: its message says so, as EAGAIN is
/// called, or no thread can be started now.
void demand_threads(const Verdict& failed);

}  // namespace gradproof::props
