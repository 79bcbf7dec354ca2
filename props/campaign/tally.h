// What the jobs of a campaign have done so far, in memory that they share.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace gradproof::campaign {

struct Tally {
  std::atomic<std::uint64_t> steps{0};           ///< cases taken from the schedules
  std::atomic<std::uint64_t> cases{0};           ///< of which a check was made
  std::atomic<std::uint64_t> boundary_cases{0};  ///< likewise
  std::atomic<std::uint64_t> findings{0};        ///< of which no other job had told before

  /// Whether no other job has told a finding of that sort, a hash value. Where there are very many
  /// sorts, a finding may be told twice.
  bool first(std::uint64_t sort, int job) {
    const std::uint64_t name = (sort & ~kJobs) | (static_cast<std::uint64_t>(job) & kJobs);
    for (std::size_t i = 0; i < told_.size(); ++i) {
      std::uint64_t there = 0;
      if (told_[(sort + i) % told_.size()].compare_exchange_strong(there, name)) return true;
      if ((there & ~kJobs) == (name & ~kJobs)) return there == name;
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kJobs = 0xFFFF;  ///< the bits that name the job, from 1 on
  std::array<std::atomic<std::uint64_t>, 512> told_{};
};

}  // namespace gradproof::campaign
