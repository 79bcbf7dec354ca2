// OpenMP itself starts and ends its threads.
#include "bench/openmp.h"

#include <omp.h>

#include <chrono>

namespace gradproof::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// Gives each thread nothing to do. Returns how long that took.
Clock::duration meet() {
  const auto begin = Clock::now();
#pragma omp parallel
  { (void)omp_get_thread_num(); }
  return Clock::now() - begin;
}

}  // namespace

void start_openmp_threads(int threads) {
  constexpr std::chrono::microseconds kTogether{20};
  constexpr std::chrono::milliseconds kPatience{50};
  constexpr int kTimes = 10;
  omp_set_num_threads(threads);
  const auto end = Clock::now() + kPatience;
  for (int times = 0; times < kTimes && Clock::now() < end;) {
    times = meet() < kTogether ? times + 1 : 0;
  }
}

void end_openmp_threads() { omp_pause_resource_all(omp_pause_hard); }

}  // namespace gradproof::bench
