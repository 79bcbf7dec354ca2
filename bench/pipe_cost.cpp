// What a call costs behind `--exec`: pipe_cost PIPE_LIBRARY COMMAND. A small call and one that
// sends 1 MiB and gets 4/13 of it back, with a kernel that should do next to nothing
// (pipe_cost.py).
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "bench/pad_call.h"

int main(int argc, char** argv) {
  using namespace gradproof::bench;
  if (argc != 3) {
    std::fprintf(stderr, "usage: gradproof_pipe_cost PIPE_LIBRARY COMMAND\n");
    return 2;
  }
  setenv("GRADPROOF_EXEC", argv[2], 1);
  void* const library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  const auto find = [&](const char* name) {
    void* const function = dlsym(library, name);
    if (function == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::exit(2);
    }
    return function;
  };
  const auto start = reinterpret_cast<const char* (*)()>(find("gradproof_start"));
  if (const char* const wrong = start()) {
    std::fprintf(stderr, "%s\n", wrong);
    return 2;
  }
  const auto prepare =
      reinterpret_cast<Phase1>(find("aclnnReplicationPad2dBackwardGetWorkspaceSize"));
  const auto enqueue = reinterpret_cast<Phase2>(find("aclnnReplicationPad2dBackward"));
  // 13 floats go there and 4 come back: 1 MiB there.
  constexpr std::int64_t kMiB = (1 << 20) / (13 * sizeof(float));
  const double small = nanoseconds(prepare, enqueue, 1000, 1);
  const double large = nanoseconds(prepare, enqueue, 20, kMiB);
  std::printf("a call %.1f us, 1 MiB more %.0f us\n", small / 1e3, (large - small) / 1e3);
}
