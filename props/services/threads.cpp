// The library's threads as their process sees them: what they do at exit() and while they are idle,
// which signals they take and what they are called.
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gradproof/config.h"
#include "props/cases/processors.h"
#include "props/services/answers.h"
#include "props/services/device_bytes.h"
#include "props/services/made_call.h"
#include "props/services/questions.h"
#include "props/services/thread_status.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 20;  // long enough for a queue

/// Streams with a task each.
class Streams {
 public:
  explicit Streams(const Library& of) : library(of), memory_(of.api(), kBytes) {}
  bool begin(int count) {
    for (int i = 0; i < count; ++i) {
      aclrtStream stream = nullptr;
      if (create_(&stream) != 0) return false;
      all_.push_back(stream);
      if (fill_(memory_.data(), kBytes, i, kBytes, stream) != 0) return false;
    }
    return true;
  }
  bool finish() {
    bool good = true;
    for (aclrtStream stream : all_) good = synchronize_(stream) == 0 && good;
    return good;
  }
  bool destroy() {
    bool good = true;
    for (aclrtStream stream : all_) good = destroy_(stream) == 0 && good;
    all_.clear();
    return good;
  }

 private:
  const Library& library;
  const DeviceBytes memory_;
  std::vector<aclrtStream> all_;
  GRADPROOF_FIND_MEMBER(create_, aclrtCreateStream);
  GRADPROOF_FIND_MEMBER(destroy_, aclrtDestroyStream);
  GRADPROOF_FIND_MEMBER(fill_, aclrtMemsetAsync);
  GRADPROOF_FIND_MEMBER(synchronize_, aclrtSynchronizeStream);
};

}  // namespace

/// Ends by exit() while four threads are inside calls. How that ends is the answer.
void probe_exit(Answers&, const Library& library) {
  for (int t = 0; t < 4; ++t) {
    auto& streams = *new Streams(library);  // no destructor of ours may race the exit
    std::thread([&streams] {
      for (;;) {
        (void)(streams.begin(2) && streams.finish());
        (void)streams.destroy();
      }
    }).detach();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::exit(0);
}

namespace {

/// What the library's threads do now.
struct Threads {
  std::string taken;   ///< the first signal that one of them does not block, and its name; or ""
  bool asleep = true;  ///< all of them
};
Threads look_at_threads() {
  Threads now;
  each_thread([&](const std::filesystem::path& thread, std::uint64_t mask) {
    if (thread.filename() == std::to_string(getpid())) return;
    now.asleep = now.asleep && status_of_thread(thread, "State").rfind("S", 0) == 0;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD, SIGALRM}) {
      if (now.taken.empty() && !blocks(mask, signal))
        now.taken = "SIG" + std::string(sigabbrev_np(signal)) + " (thread " +
                    status_of_thread(thread, "Name") + ")";
    }
  });
  return now;
}

/// The signal that a thread of the library takes, once all of them have run: glibc starts a thread
/// with all signals blocked, and on a busy machine it takes a while until the thread runs.
std::string signal_taken() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (Threads now = look_at_threads();; now = look_at_threads()) {
    if (!now.taken.empty()) return now.taken;
    if (now.asleep || std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return look_at_threads()
      .taken;  // a thread may have run between the readings of its mask and state
}

/// Whether libgradproof made this library: it alone promises names of threads (docs/processes.md).
/// Not under ThreadSanitizer, which has a thread of its own.
bool promises_names(const Library& library) {
  return library.symbol("gradproof_get_statistics") != nullptr &&
         dlsym(RTLD_DEFAULT, "__tsan_init") == nullptr;
}

/// Whether a thread has the name of a stream, once it has run.
bool stream_is_named() {
  constexpr std::string_view kPrefix = "gradproof-";
  bool named = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (!named && std::chrono::steady_clock::now() < end) {
    each_thread([&](const std::filesystem::path& thread, std::uint64_t) {
      const std::string name = status_of_thread(thread, "Name");
      named = named || (name.starts_with(kPrefix) && name.size() > kPrefix.size() &&
                        std::isdigit(static_cast<unsigned char>(name[kPrefix.size()])) != 0);
    });
  }
  return named;
}

/// Whether a call may have several threads.
bool shares_calls(const Library& library) {
  GRADPROOF_FIND(option, gradproof_option);
  return processors() > 1 && std::string_view(option("threads")) != "1";
}

/// A worker of oneTBB has the name of the thread that started it until the library gives it one.
void ask_workers(Answers& is, const Library& library) {
  MadeCall call(large_case(library), library);
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  // If no worker has been started by then, none will be: there is one processor.
  const auto exist = begin + std::chrono::milliseconds(300);
  // By then at least one has worked.
  const auto worked = begin + std::chrono::seconds(2);
  std::string other;
  bool named = false;
  while (!named && Clock::now() < (other.empty() ? exist : worked)) {
    is.status("a valid call", call.complete(nullptr), ACL_SUCCESS);
    other.clear();
    std::set<std::string> names;
    each_thread([&](const std::filesystem::path& thread, std::uint64_t) {
      const std::string name = status_of_thread(thread, "Name");
      named = named || name == "gradproof-tbb";
      if (thread.filename() == std::to_string(getpid())) return;
      if (name.rfind("gradproof-", 0) != 0 || !names.insert(name).second) other = name;
    });
  }
  is.that(
      "workers of oneTBB that the library starts are called gradproof-tbb: one is called " + other,
      other.empty() || named);
  is.that("a large call is shared with workers of oneTBB",
          named || !other.empty() || !shares_calls(library));
}

}  // namespace

void probe_signals(Answers& is, const Library& library) {
  Streams streams(library);
  is.that("two streams work", streams.begin(2) && streams.finish());
  const std::string taken = signal_taken();
  is.that("threads of the library run no signal handler of the program: " + taken, taken.empty());
  const bool names = promises_names(library);
  is.that("the thread of a stream is called gradproof-<number>", !names || stream_is_named());
  is.that("two streams can be destroyed", streams.destroy());
  if (names) ask_workers(is, library);
}

namespace {

/// How often threads of this process went to sleep, and its processor time in milliseconds.
struct Cost {
  long sleeps;
  double ms;
};
Cost cost() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto ms = [](const timeval& t) {
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
  };
  return {used.ru_nvcsw, ms(used.ru_utime) + ms(used.ru_stime)};
}

}  // namespace

void probe_idle(Answers& is, const Library& library) {
  constexpr long kSleeps = 40;  // naps of 10 ms are 80
  constexpr double kMs = 50;    // one thread that spins takes 200
  Streams streams(library);
  is.that("four streams work", streams.begin(4) && streams.finish());
  Cost least{1L << 30, 1e9};
  for (int tries = 0; tries < 3 && (least.sleeps > kSleeps || least.ms > kMs); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // threads go to sleep
    const Cost before = cost();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const Cost after = cost();
    least = {after.sleeps - before.sleeps, after.ms - before.ms};
  }
  is.that("four streams without work sleep (in 200 ms threads woke " +
              std::to_string(least.sleeps) + " times and ran for " +
              std::to_string(static_cast<long>(least.ms)) + " ms)",
          least.sleeps <= kSleeps && least.ms <= kMs);
  is.that("four streams can be destroyed", streams.destroy());
}

}  // namespace gradproof::props
