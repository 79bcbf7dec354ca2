// What the jobs of a campaign have done so far, in memory that they share.
#pragma once

#include <atomic>
#include <cstdint>

namespace gradproof::campaign {

struct Tally {
  std::atomic<std::uint64_t> steps{0};           ///< cases taken from the schedules
  std::atomic<std::uint64_t> boundary_cases{0};  ///< of which a check was made
  std::atomic<std::uint64_t> failures{0};        ///< checks that were violated
};

}  // namespace gradproof::campaign
