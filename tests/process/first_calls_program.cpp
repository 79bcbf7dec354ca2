// fork() while another thread makes the first call of the process: what that thread is about to
// find out, the child has to find out by itself. A program of its own, since it replaces sysconf().
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include <dlfcn.h>
#include <unistd.h>

#include "gradproof/config.h"
#include "tests/process/scenario.h"

namespace {

constinit std::atomic<bool> held{false}, inside{false};

}  // namespace

/// The C library's own, but a thread that asks for the cache's size stays inside while `held`.
extern "C" [[gnu::visibility("default")]] long sysconf(int name) noexcept {
  static const auto real = reinterpret_cast<long (*)(int)>(dlsym(RTLD_NEXT, "sysconf"));
  while (name == _SC_LEVEL2_CACHE_SIZE && held) {
    inside = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return real(name);
}

namespace gradproof::test {
namespace {

/// What needs everything that is found out once: options, the processor, plans.
void first_call() {
  (void)gradproof_set_option("trace", "/dev/null");  // is refused, if only by the first call
  REQUIRE(gradproof_set_option("trace", nullptr) == 0);
  PadCall call(1);
  REQUIRE(call.launch(nullptr) == 0);
}

/// A child that makes the call, if it ends in time.
void in_child() {
  const int child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    held = false;
    first_call();
    std::exit(0);
  }
  const std::string outcome = outcome_of(child, 20);
  if (outcome != "exit 0") std::fprintf(stderr, "the child: %s\n", outcome.c_str());
  REQUIRE(outcome == "exit 0");
}

/// The other thread is in the middle of its first call, wherever that is.
void child_that_forks_beside_a_first_call() {
  std::atomic<bool> begun{false};
  std::thread other([&] {
    begun = true;
    first_call();
  });
  while (!begun) {
  }
  for (int i = 0; i < 4; ++i) in_child();
  other.join();
}

/// The same, and the other thread is held where it asks for the cache's size.
void child_that_forks_in_a_first_call() {
  held = true;
  std::thread other(first_call);
  while (!inside) std::this_thread::yield();
  in_child();
  held = false;
  other.join();
}

}  // namespace
}  // namespace gradproof::test

int main(int argc, char** argv) {
  using namespace gradproof::test;
  constexpr Scenario kChildren[] = {{"in a first call", child_that_forks_in_a_first_call},
                                    {"beside a first call", child_that_forks_beside_a_first_call}};
  for (const Scenario& child : kChildren) {
    if (argc != 2 || std::strcmp(argv[1], child.name) != 0) continue;
    child.run();
    return 0;
  }
  all_exit_well(kChildren[0].name, 1, 60);
  all_exit_well(kChildren[1].name, 40, 60);
}
