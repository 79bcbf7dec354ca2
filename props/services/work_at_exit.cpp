// A program that exits with work enqueued: exit() finishes the work.
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "props/services/ended.h"
#include "props/services/questions.h"

namespace gradproof::props {
namespace {

constexpr int kAtOnce = 3;  // the first one is the default stream
constexpr int kFills = 40;  // of a stream
constexpr std::size_t kBytes = std::size_t{1} << 20;
constexpr int kNoWork = 50;  // an exit status that nothing else uses

/// Loads the library, enqueues work and exits. The memory outlives the process.
[[noreturn]] void live(const std::vector<std::string>& files, unsigned char* memory) try {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Its threads and handlers are at work while the program exits.
  const Library& library = *new Library(files);
  const Api& api = library.api();
  aclrtStream streams[kAtOnce] = {};
  bool good = api.init(nullptr) == 0 && api.set_device(0) == 0;
  for (aclrtStream& stream : std::span(streams).subspan(1))
    good = good && api.create_stream(&stream) == 0;
  GRADPROOF_FIND(fill, aclrtMemsetAsync);
  for (int i = 1; i <= kFills; ++i) {
    for (int s = 0; s < kAtOnce; ++s)
      good = good && fill(memory + s * kBytes, kBytes, i, kBytes, streams[s]) == 0;
  }
  std::exit(good ? 0 : kNoWork);
} catch (...) {
  std::_Exit(kNoWork);
}

}  // namespace

void probe_work_at_exit(Answers& is, const std::vector<std::string>& files) {
  void* const mapped =
      mmap(nullptr, kAtOnce * kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw NotAsked{"no memory"};
  auto* const memory = static_cast<unsigned char*>(mapped);
  const pid_t child = fork();
  if (child < 0) throw NotAsked{"no process"};
  if (child == 0) live(files, memory);
  int status = 0;
  const std::string end = end_of(child, &status);
  if (end.empty() && WEXITSTATUS(status) == kNoWork) throw NotAsked{"the work is refused"};
  is.that("a program that exits with work enqueued " + end, end.empty());
  bool done = true;
  for (int s = 0; s < kAtOnce; ++s) {
    const unsigned char* const of = memory + s * kBytes;
    done = done && of[0] == kFills && std::memcmp(of, of + 1, kBytes - 1) == 0;
  }
  is.that("exit() finishes the work of all streams", done);
}

}  // namespace gradproof::props
