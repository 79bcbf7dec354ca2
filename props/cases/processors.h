// How many processors this process may use.
#pragma once

#include <sched.h>

#include <algorithm>
#include <thread>

namespace gradproof::props {

/// At least 1. Debian 12's std::thread::hardware_concurrency() counts also those that the affinity
/// mask excludes (taskset, a batch system).
inline int processors() {
  cpu_set_t set;
  const int usable = sched_getaffinity(0, sizeof set, &set) == 0
                         ? CPU_COUNT(&set)
                         : static_cast<int>(std::thread::hardware_concurrency());
  return std::max(usable, 1);
}

}  // namespace gradproof::props
