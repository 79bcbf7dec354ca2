// Memory that runs out. For descriptors, small calls and the configuration, the N-th allocation
// fails, alone or with all after it, for every N until the scenario needs no more; for parallel
// work, all that do not fit into so many bytes, or every thread from the N-th on. Whatever fails,
// it answers a status and the process goes on; with memory again, the same works.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tbb/global_control.h>

#include "gradproof/config.h"
#include "tests/process/scenario.h"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

enum class Scarce { nothing, allocations, one_allocation, bytes, threads };

constexpr long kPlenty = std::numeric_limits<long>::max() / 2;
std::atomic<Scarce> scarce{Scarce::nothing};
std::atomic<long> left{kPlenty};  // allocations or bytes

bool fails(std::size_t size) {
  bool failed = false;
  switch (scarce.load()) {
    case Scarce::nothing:
    case Scarce::threads: return false;
    case Scarce::allocations: failed = left.fetch_sub(1) <= 0; break;
    case Scarce::one_allocation: failed = left.fetch_sub(1) == 0; break;
    case Scarce::bytes:
      failed = size > std::size_t{kPlenty} ||
               left.fetch_sub(static_cast<long>(size)) < static_cast<long>(size);
      if (failed) left.fetch_add(static_cast<long>(size));
      break;
  }
  if (failed) errno = ENOMEM;
  return failed;
}

void given_back(void* memory) {
  if (scarce == Scarce::bytes) left.fetch_add(static_cast<long>(malloc_usable_size(memory)));
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) { return fails(size) ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t n, std::size_t size) {
  return fails(n * size) ? nullptr : __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) { return fails(size) ? nullptr : __libc_realloc(p, size); }
void* aligned_alloc(std::size_t to, std::size_t size) {
  return fails(size) ? nullptr : __libc_memalign(to, size);
}
void* memalign(std::size_t to, std::size_t size) { return aligned_alloc(to, size); }
int posix_memalign(void** out, std::size_t to, std::size_t size) {
  void* const memory = aligned_alloc(to, size);
  if (memory == nullptr) return ENOMEM;
  *out = memory;
  return 0;
}
/// No thread from the N-th on.
[[gnu::visibility("default")]] int pthread_create(pthread_t* thread,
                                                  const pthread_attr_t* attributes,
                                                  void* (*body)(void*), void* argument) {
  static const auto real =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  if (scarce == Scarce::threads && left.fetch_sub(1) <= 0) return EAGAIN;
  return real(thread, attributes, body, argument);
}
void free(void* memory) {
  if (memory == nullptr) return;
  given_back(memory);
  __libc_free(memory);
}
}

namespace gradproof::test {
namespace {

std::string config_path, trace_path;

/// aclInit with a file that nests deeply and asks for a trace; twice.
void configure() {
  for (int i = 0; i < 2; ++i) {
    if (aclInit(config_path.c_str()) == 0) (void)aclFinalize();
  }
}

/// While it lives there is memory, as where the program has freed some.
class Plenty {
 public:
  Plenty() : before_(scarce.exchange(Scarce::nothing)) {}
  ~Plenty() { scarce = before_; }
  Plenty(const Plenty&) = delete;
  Plenty& operator=(const Plenty&) = delete;

 private:
  const Scarce before_;
};

/// Chooses a trace or withdraws it. If that fails, the former choice stays, and also when the next
/// change puts all choices in force.
void expect_choice(const char* trace, const char* before) {
  const bool changed = gradproof_set_option("trace", trace) == 0;
  const Plenty memory;
  const auto file = [] { return std::string(gradproof_option("trace")); };
  const std::string expected = changed && trace != nullptr ? trace : changed ? "" : before;
  REQUIRE(file() == expected);
  REQUIRE(gradproof_set_option("threads", "2") == 0);
  REQUIRE(file() == expected);
  REQUIRE(gradproof_set_option("trace", trace) == 0);
}

/// The same by an aclInit that fails: what was in force without it is.
void choose() {
  {
    const Plenty memory;
    REQUIRE(gradproof_option("threads") != nullptr);  // from now on there is a configuration
  }
  expect_choice(trace_path.c_str(), "");
  expect_choice(nullptr, trace_path.c_str());
  const bool begun = aclInit(config_path.c_str()) == 0;
  const Plenty memory;
  const std::string file = gradproof_option("trace");
  REQUIRE(file == (begun ? trace_path : ""));
  if (begun) REQUIRE(aclFinalize() == 0);
}

PadCall* prepared = nullptr;        // on several threads
PadCall* prepared_small = nullptr;  // on one

/// A parallel call on a stream of its own, and one on the default stream.
void launch() {
  aclrtStream stream = nullptr;
  (void)aclrtCreateStream(&stream);
  (void)prepared->launch(nullptr);
  if (stream != nullptr) (void)prepared->launch(stream);
  (void)aclrtSynchronizeStream(nullptr);
  (void)aclrtSynchronizeDevice();
  if (stream != nullptr) (void)aclrtDestroyStream(stream);
}

/// The same where threads are scarce. With one worker of oneTBB: it ends the process if a worker
/// cannot start another one.
void launch_on_two() {
  {
    const Plenty memory;
    static const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
    REQUIRE(gradproof_set_option("threads", "2") == 0);
  }
  launch();
}

/// A call on one thread, on a stream of its own: with memory for everything but one allocation.
void call_once() {
  aclrtStream stream = nullptr;
  PadCall& call = *prepared_small;
  (void)aclrtCreateStream(&stream);
  if (stream == nullptr) return;
  call.clear();
  const bool launched = call.launch(stream) == 0;
  REQUIRE(aclrtSynchronizeStream(stream) == 0);
  REQUIRE(call.done() == launched);
  REQUIRE(aclrtDestroyStream(stream) == 0);
}

/// Descriptors, events and memory.
void describe() {
  const std::int64_t shape[]{2, 3};
  aclTensor* const tensor =
      aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, nullptr);
  aclIntArray* const array = aclCreateIntArray(shape, 2);
  aclrtEvent event = nullptr;
  void* block = nullptr;
  (void)aclrtCreateEvent(&event);
  if (event != nullptr) (void)aclrtRecordEvent(event, nullptr);
  (void)aclrtMalloc(&block, 1000, ACL_MEM_MALLOC_HUGE_FIRST);
  if (block != nullptr) REQUIRE(aclrtFree(block) == 0);
  if (event != nullptr) REQUIRE(aclrtDestroyEvent(event) == 0);
  if (array != nullptr) REQUIRE(aclDestroyIntArray(array) == 0);
  if (tensor != nullptr) REQUIRE(aclDestroyTensor(tensor) == 0);
}

struct Body {
  const char* name;
  void (*run)();
  Scarce what;
  long step;
};

/// Runs the body with so much, and again with all; whether the first was enough.
bool with_little(const Body& body, long n) {
  left = n;
  scarce = body.what;
  body.run();
  scarce = Scarce::nothing;
  const bool enough = left > 0;
  body.run();
  PadCall call(8);  // all is as if nothing had happened
  REQUIRE(call.launch(nullptr) == 0 && aclrtSynchronizeStream(nullptr) == 0 && call.done());
  return enough;
}

/// Runs the body in children with ever more, until that is enough, or `most` steps.
void with_ever_more(const Body& body, long most) {
  auto* const enough = static_cast<std::atomic<bool>*>(
      mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (long i = 0; i < most && !*enough; ++i) {
    const int child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      *enough = with_little(body, i * body.step) && body.what != Scarce::bytes;
      std::exit(0);
    }
    const std::string outcome = outcome_of(child, 20);
    if (outcome != "exit 0") {
      std::fprintf(stderr, "%s, scarcity %d, with %ld: %s\n", body.name,
                   static_cast<int>(body.what), i * body.step, outcome.c_str());
      std::_Exit(1);
    }
  }
  REQUIRE(*enough || body.what == Scarce::bytes);
  munmap(enough, 1);
}

}  // namespace
}  // namespace gradproof::test

/// Without arguments all of it; "launch 57000" for a debugger.
int main(int argc, char** argv) {
  using namespace gradproof::test;
  const std::string stem = "/tmp/gradproof_memory_" + std::to_string(getpid());
  config_path = stem + ".json";
  trace_path = stem + ".trace";
  std::FILE* const file = std::fopen(config_path.c_str(), "w");
  REQUIRE(file != nullptr);
  std::fprintf(
      file,
      "{\"trace\": \"%s\", \"x\": [[[1, [2, {\"y\": [3]}]], \"a long string, on the heap\"]]}",
      trace_path.c_str());
  std::fclose(file);
  prepared = new PadCall(8);
  prepared_small = new PadCall(1);
  const Body bodies[] = {{"configure", configure, Scarce::allocations, 1},
                         {"configure", configure, Scarce::one_allocation, 1},
                         {"choose", choose, Scarce::allocations, 1},
                         {"choose", choose, Scarce::one_allocation, 1},
                         {"describe", describe, Scarce::allocations, 1},
                         {"describe", describe, Scarce::one_allocation, 1},
                         {"small call", call_once, Scarce::allocations, 1},
                         {"small call", call_once, Scarce::one_allocation, 1},
                         {"launch", launch, Scarce::bytes, 1000},
                         {"threads", launch_on_two, Scarce::threads, 1}};
  for (const Body& body : bodies) {
    if (argc == 3) {
      if (std::strcmp(argv[1], body.name) == 0) with_little(body, std::atol(argv[2]));
    } else {
      with_ever_more(body, 300);
    }
  }
  unlink(config_path.c_str());
  unlink(trace_path.c_str());
  return 0;
}
