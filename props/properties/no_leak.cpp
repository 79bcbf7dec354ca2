// No leak: a call that is repeated needs no more memory than before.
#include <dlfcn.h>
#include <malloc.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "props/cases/counted.h"
#include "props/cases/data/data.h"
#include "props/cases/describe/size.h"
#include "props/cases/hash.h"
#include "props/properties/property.h"
#include "props/properties/same_bits.h"

namespace gradproof::props {
namespace {

using Clock = std::chrono::steady_clock;

/// Above this, phase 1 has to do.
constexpr std::int64_t kLargestRun = std::int64_t{1} << 20;
/// A call that takes longer is not repeated, since it is made 100 to 640 times. Small calls may
/// take longer: where they are slow, all others are, and the library would not be checked at all.
constexpr auto kSlow = std::chrono::milliseconds(5), kSlowIfSmall = std::chrono::milliseconds(50);
constexpr int kWarmUp = 40, kFewRounds = 3, kRounds = 10;
/// In a new process the caches of malloc and of threads may fill for some hundred calls, with steps
/// in each round. A leak goes on; one that has lost so much needs no more rounds.
constexpr std::int64_t kCertain = std::int64_t{64} << 20;
/// What small calls leave in a process with a garbage collector is gone before it is so much.
constexpr std::int64_t kCertainOfChildren = std::int64_t{128} << 20;
/// Growth per call, in every round, that no cache or pool explains: the smallest object that malloc
/// hands out takes 24 bytes and its header.
constexpr std::int64_t kHeapGrowth = 16, kDeviceGrowth = 1;

/// Calls of a round, and growth of pages per call. What a pool loses shows in long rounds alone: it
/// grows by many objects at a time.
struct Rounds {
  int calls;
  std::int64_t page_growth;
};
constexpr Rounds kShort{60, 3000}, kLong{1500, 64};

bool is_small(const Case& c) {
  constexpr std::int64_t kLargest = 256;  // elements
  return largest_tensor(c) <= kLargest;
}

/// One in eight of the small calls has long rounds, unless it takes milliseconds.
Rounds rounds_for(const Case& c, Clock::duration warm_up) {
  const bool quick = is_small(c) && warm_up < kWarmUp * std::chrono::milliseconds(2);
  return quick && mix(c.seed ^ 0x1EA4) % 8 == 0 ? kLong : kShort;
}

struct Used {
  std::int64_t device = 0;  ///< bytes that aclrtGetMemInfo misses; 0 if the library lacks it
  std::int64_t heap = 0;    ///< bytes that malloc has handed out; 0 if it is another malloc
  std::int64_t pages = 0;   ///< resident bytes of the process; 0 under AddressSanitizer
  /// Those of the processes that it has started, such as a kernel behind a pipe; likewise.
  std::int64_t children = 0;
};

/// The bytes that AddressSanitizer's malloc has handed out; null where it is not in the process, by
/// way of this program, of the library or preloaded. It keeps what was freed for a while, so that
/// resident memory grows without a leak.
std::size_t (*sanitizer_bytes())() {
  if (dlsym(RTLD_DEFAULT, "__asan_init") == nullptr) return nullptr;
  return reinterpret_cast<std::size_t (*)()>(
      dlsym(RTLD_DEFAULT, "__sanitizer_get_current_allocated_bytes"));
}

std::int64_t device_bytes(const Api& api) {
  if (api.get_mem_info == nullptr) return 0;
  for (const aclrtMemAttr kind : {ACL_HBM_MEM, ACL_DDR_MEM}) {  // a product has one or the other
    std::size_t free = 0, total = 0;
    if (api.get_mem_info(kind, &free, &total) == 0 && total > 0)
      return static_cast<std::int64_t>(total - free);
  }
  return 0;
}

/// Of the process of that name in /proc; 0 where it is gone.
std::int64_t resident_bytes(const std::string& process) {
  long long total = 0, pages = 0;
  std::ifstream("/proc/" + process + "/statm") >> total >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

/// Of all processes that the process of that name has started, and those that they have.
std::int64_t resident_bytes_of_children(const std::string& process) {
  std::int64_t bytes = 0;
  std::error_code gone;
  std::filesystem::directory_iterator thread("/proc/" + process + "/task", gone);
  for (; !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
    std::ifstream children(thread->path() / "children");
    for (std::string child; children >> child;)
      bytes += resident_bytes(child) + resident_bytes_of_children(child);
  }
  return bytes;
}

Used used(const Api& api) {
  Used now;
  now.device = device_bytes(api);
  static const auto allocated = sanitizer_bytes();
  if (allocated != nullptr) {
    now.heap = static_cast<std::int64_t>(allocated());
    return now;
  }
  now.heap = static_cast<std::int64_t>(mallinfo2().uordblks + mallinfo2().hblkhd);
  now.pages = resident_bytes("self");
  now.children = resident_bytes_of_children("self");
  return now;
}

/// What phase 1 leaves of what a call leaves, for the text of a finding.
std::string in_phase_1(const Case& c, Session& session, bool device) {
  const Api& api = session.library().api();
  const auto calls = [&](int count) {
    for (int i = 0; i < count; ++i) session.get_workspace_size(c.call);
  };
  calls(kWarmUp);
  const Used before = used(api);
  calls(kShort.calls);
  const Used now = used(api);
  const std::int64_t bytes =
      (device ? now.device - before.device : now.heap - before.heap) / kShort.calls;
  const bool leaks = bytes >= (device ? kDeviceGrowth : kHeapGrowth);
  return "; phase 1 alone, with its executor destroyed, leaves " +
         (leaks ? counted(static_cast<std::uint64_t>(bytes), "byte") : "none");
}

}  // namespace

bool no_leak_applies(const Case& c) { return c.misuse == Misuse::none; }

Verdict check_no_leak(const Case& c, Bench& bench) {
  const bool runs = is_plain(c) && runnable(c, kLargestRun);
  Session& session = bench.session;
  const Library& library = session.library();
  if (!runs && is_behind_kit(library)) return phase_1_of_a_kit();
  // Phase 1 hands out an executor that only some libraries can take back.
  if (!runs && is_plain(c) && library.api().destroy_executor == nullptr)
    return Verdict::not_checked("the library has no aclDestroyAclOpExecutor");
  const std::vector<ref::Dense> data = runs ? make_data(c) : std::vector<ref::Dense>();
  const auto calls = [&](int count) {
    for (int i = 0; i < count; ++i) {
      if (runs)
        session.perform(c, data);
      else
        session.get_workspace_size(c.call);
    }
  };
  if (runs && has_result(c)) {
    // A call that fails half-way leaves its second half unchecked.
    Verdict failed = call_succeeded(session.perform(c, data));
    if (!failed.held || !failed.checked) return failed;
    const auto limit = is_small(c) ? kSlowIfSmall : kSlow;
    // The first call, above, may compile itself; a busy machine may delay one of these.
    const auto is_slow = [&] {
      const auto before = Clock::now();
      session.perform(c, data);
      return Clock::now() - before > limit;
    };
    if (is_slow() && is_slow() && is_slow())
      return Verdict::not_checked("a call takes too long to be made hundreds of times");
  }
  const auto begin = Clock::now();
  calls(kWarmUp);
  const Rounds round = rounds_for(c, Clock::now() - begin);
  const Api& api = library.api();
  const Used first = used(api);
  Used last = first;
  bool device = true, heap = true, pages = true, children = is_small(c);
  int rounds = 0;
  const auto certain = [&] {
    return last.pages - first.pages >= kCertain ||
           last.children - first.children >= kCertainOfChildren;
  };
  while (rounds < kRounds && (rounds < kFewRounds || !certain())) {
    calls(round.calls);
    const Used before = last, now = last = used(api);
    ++rounds;
    device = device && now.device - before.device >= round.calls * kDeviceGrowth;
    heap = heap && now.heap - before.heap >= round.calls * kHeapGrowth;
    pages = pages && now.pages - before.pages >= round.calls * round.page_growth;
    children = children && now.children - before.children >= round.calls * round.page_growth;
    if (!device && !heap && !pages && !children) return {};
  }
  if (!device && !heap && !pages && !certain()) return {};
  const std::int64_t growth = device  ? last.device - first.device
                              : heap  ? last.heap - first.heap
                              : pages ? last.pages - first.pages
                                      : last.children - first.children;
  const std::string what =
      counted(static_cast<std::uint64_t>(growth / (rounds * round.calls)), "byte") + " of " +
      (device ? "device memory"
       : heap ? "the heap"
              : "resident memory") +
      " allocated";
  std::string text = (runs ? "each call leaves " : "each phase 1 leaves ") + what;
  if (!device && heap && sanitizer_bytes() == nullptr)
    text += ", with the bytes that malloc adds to each block";
  if (runs && (device || heap) && api.destroy_executor != nullptr)
    text += in_phase_1(c, session, device);
  Verdict verdict = Verdict::violated("leak", text);
  // What a run leaves may depend on its kernel.
  if (!runs && (device || heap)) verdict.symptom = what;
  return verdict;
}

}  // namespace gradproof::props
