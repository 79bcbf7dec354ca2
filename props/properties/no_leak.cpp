// No leak: a call that is repeated needs no more memory than before.
#include <malloc.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "props/cases/data.h"
#include "props/properties/property.h"

namespace gradproof::props {
namespace {

/// Above this, phase 1 has to do.
constexpr std::int64_t kLargestRun = std::int64_t{1} << 20;
constexpr int kWarmUp = 40, kRounds = 3, kCalls = 60;
/// Growth per call, in every round, that no cache or pool explains: the smallest object that malloc
/// hands out takes 24 bytes and its header, and memory from elsewhere comes in pages.
constexpr std::int64_t kHeapGrowth = 16, kPageGrowth = 3000;

// AddressSanitizer's malloc keeps what was freed for a while, so that memory grows without a leak.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kQuarantine = true;
#elif defined(__has_feature)
constexpr bool kQuarantine = __has_feature(address_sanitizer);
#else
constexpr bool kQuarantine = false;
#endif

struct Used {
  std::int64_t heap = 0;   ///< bytes that malloc has handed out; 0 if it is another malloc
  std::int64_t pages = 0;  ///< resident bytes of the process
};

Used used() {
  Used now;
  now.heap = static_cast<std::int64_t>(mallinfo2().uordblks + mallinfo2().hblkhd);
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    long long total = 0, resident = 0;
    if (std::fscanf(file, "%lld %lld", &total, &resident) == 2)
      now.pages = resident * sysconf(_SC_PAGESIZE);
    std::fclose(file);
  }
  return now;
}

}  // namespace

bool no_leak_applies(const Case& c) { return !kQuarantine && c.misuse == Misuse::none; }

Verdict check_no_leak(const Case& c, Bench& bench) {
  const bool runs = is_plain(c) && runnable(c, kLargestRun);
  // Phase 1 hands out an executor that only some libraries can take back.
  if (!runs && is_plain(c) && bench.session.library().api().destroy_executor == nullptr) return {};
  const std::vector<ref::Dense> data = runs ? make_data(c) : std::vector<ref::Dense>();
  const auto calls = [&](int count) {
    for (int i = 0; i < count; ++i) {
      if (runs)
        bench.session.perform(c, data);
      else
        bench.session.get_workspace_size(c.call);
    }
  };
  calls(kWarmUp);
  std::array<Used, kRounds + 1> at;
  at[0] = used();
  bool heap = true, pages = true;
  for (int round = 1; round <= kRounds; ++round) {
    calls(kCalls);
    at[round] = used();
    heap = heap && at[round].heap - at[round - 1].heap >= kCalls * kHeapGrowth;
    pages = pages && at[round].pages - at[round - 1].pages >= kCalls * kPageGrowth;
    if (!heap && !pages) return {};
  }
  const std::int64_t growth =
      heap ? at[kRounds].heap - at[0].heap : at[kRounds].pages - at[0].pages;
  return Verdict::violated("leak", std::string(runs ? "a whole call" : "phase 1") + " leaves " +
                                       std::to_string(growth / (kRounds * kCalls)) + " bytes of " +
                                       (heap ? "the heap" : "resident memory") +
                                       " allocated, every time");
}

}  // namespace gradproof::props
