// The processes that probe.cpp starts: one question about a library each.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include "props/cases/input_error.h"
#include "props/services/answers.h"
#include "props/services/device_bytes.h"
#include "props/services/probe.h"
#include "props/services/questions.h"
#include "props/services/thread_status.h"
#include "props/subject/memory.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 20;  // long enough for a queue
constexpr unsigned kMostSeconds = 10;

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

void probe_signals(Answers& is, const Library& library) {
  Streams streams(library);
  is.that("two streams work", streams.begin(2) && streams.finish());
  const std::string taken = signal_taken();
  is.that("threads of the library run no signal handler of the program: " + taken, taken.empty());
  is.that("two streams can be destroyed", streams.destroy());
}

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

}  // namespace

namespace {

void ask(Answers& is, const Probe& probe, const std::string& tasks_library) {
  const std::string& question = probe.question;
  if (question == kUnloadingQuestion) return probe_unloading(is, probe.files);
  if (question == kWorkAtExitQuestion) return probe_work_at_exit(is, probe.files);
  const Library library(probe.files);
  const char* const config = probe.config.empty() ? nullptr : probe.config.c_str();
  if (library.api().init(config) != 0 || library.api().set_device(0) != 0)
    throw NotAsked{"aclInit fails"};
  if ((question == kTasksQuestion || question == kChangingQuestion || question == kReadsQuestion) &&
      dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr)
    throw NotAsked{
        "ThreadSanitizer takes oneTBB's tasks for races, and changes of indices are races"};
  if ((question == kForksQuestion || question == kHandlesQuestion) &&
      (dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr ||
       dlsym(RTLD_DEFAULT, "__asan_init") != nullptr))
    throw NotAsked{"a sanitizer's own locks are lost in a child of fork()"};
  if (question == kExitQuestion) probe_exit(is, library);
  if (question == kSignalsQuestion) probe_signals(is, library);
  if (question == kIdleQuestion) probe_idle(is, library);
  if (question == kForksQuestion) probe_forks(is, library);
  if (question == kHandlesQuestion) probe_handles_after_fork(is, library);
  if (question == kTasksQuestion) probe_tasks(is, library, tasks_library);
  if (question == kChangingQuestion)
    probe_changing_indices(is, library, parse_case(probe.case_text));
  if (question == kReadsQuestion)
    probe_indices_read_by_read(is, library, parse_case(probe.case_text));
}

}  // namespace

int answer_probe(const Probe& probe, const std::string& tasks_library) {
  alarm(kMostSeconds);  // if nobody waits for it any more
  Answers is;
  std::string said;
  try {
    ask(is, probe, tasks_library);
    said = is.first();
  } catch (const Missing&) {
    said = kNotAsked + std::string("the library lacks a function");
  } catch (const NotAsked& reason) {
    said = kNotAsked + reason.why;
  } catch (const SubjectFailure& failure) {
    said = failure.what();
  } catch (const InputError& reason) {
    said = kNotAsked + std::string(reason.what());
  } catch (const std::system_error& reason) {  // no thread
    said = kNotAsked + std::string(reason.what());
  } catch (const std::bad_alloc&) {
    said = kNotAsked + std::string("out of memory");
  }
  (void)!write(kAnswer, said.data(), said.size());
  std::_Exit(0);
}

}  // namespace gradproof::props
