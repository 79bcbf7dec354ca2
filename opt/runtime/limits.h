// What the process may use of its machine: processors and memory, within its control group's
// limits.
#pragma once

#include <cstddef>
#include <string>

namespace gradproof {

/// Limits of Linux control groups, versions 1 and 2, of a process and the groups around its own.
struct GroupLimits {
  std::size_t memory;  ///< bytes; SIZE_MAX without a limit
  double processors;   ///< processor time per time; infinite without a limit
};

/// Reads the limits where `root` takes the place of "/": proc/self/cgroup names the groups,
/// sys/fs/cgroup has their files. What cannot be read is no limit.
GroupLimits group_limits(const std::string& root = "/");

/// Processors that the process may run on, and no more than its group's share rounded up.
int processors();

/// Bytes of memory: the machine's, or the group's limit if that is less.
std::size_t memory_bytes();

}  // namespace gradproof
