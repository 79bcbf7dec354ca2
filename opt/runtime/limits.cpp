// Processors and memory of the process.
#include "opt/runtime/limits.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>

#include <sched.h>
#include <unistd.h>

namespace gradproof {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// The number at the file's beginning; negative for "max", -1 and what cannot be read.
double number_in(const std::string& path) {
  double value = -1;
  return std::ifstream(path) >> value ? value : -1;
}

std::size_t bytes(double limit) {
  // Version 1 says "none" as the greatest multiple of a page below 2^63.
  // perhaps uncovered: the machine decides
  return limit < 0 || limit > 0x1p62 ? SIZE_MAX : static_cast<std::size_t>(limit);
}

double share(double quota, double period) {
  // perhaps uncovered: the machine decides
  return quota > 0 && period > 0 ? quota / period : kEndless;
}

/// Calls `read` with the folder of the group and of each around it.
template <class Read>
void for_groups(const std::string& mount, std::string group, Read&& read) {
  for (;;) {
    read(mount + group + '/');
    if (group.empty() || group == "/") return;
    group.erase(group.rfind('/'));
  }
}

bool has(std::string_view list, std::string_view name) {
  return ("," + std::string(list) + ",").find("," + std::string(name) + ",") != std::string::npos;
}

}  // namespace

GroupLimits group_limits(const std::string& root) {
  GroupLimits limits{SIZE_MAX, kEndless};
  const auto at_most = [&](std::size_t memory, double processors) {
    limits.memory = std::min(limits.memory, memory);
    limits.processors = std::min(limits.processors, processors);
  };
  const std::string mounts = root + "sys/fs/cgroup";
  std::ifstream groups(root + "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "<hierarchy>:<controllers>:<group>"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {  // version 2
      for_groups(mounts, group, [&](const std::string& folder) {
        double quota = -1, period = 0;
        std::ifstream(folder + "cpu.max") >> quota >> period;
        at_most(bytes(number_in(folder + "memory.max")), share(quota, period));
      });
    }
    if (has(controllers, "memory")) {
      for_groups(mounts + "/memory", group, [&](const std::string& folder) {
        at_most(bytes(number_in(folder + "memory.limit_in_bytes")), kEndless);
      });
    }
    if (has(controllers, "cpu")) {
      for_groups(mounts + "/cpu", group, [&](const std::string& folder) {
        at_most(SIZE_MAX, share(number_in(folder + "cpu.cfs_quota_us"),
                                number_in(folder + "cpu.cfs_period_us")));
      });
    }
  }
  return limits;
}

int processors() {
  cpu_set_t set;
  const bool known = sched_getaffinity(0, sizeof set, &set) == 0;
  // perhaps uncovered: the machine decides
  const long all = known ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
  const double share = std::ceil(group_limits().processors);
  return static_cast<int>(std::max(1.0, std::min(static_cast<double>(all), share)));
}

std::size_t memory_bytes() {
  const std::size_t machine = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                              static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::min(machine, group_limits().memory);
}

}  // namespace gradproof
