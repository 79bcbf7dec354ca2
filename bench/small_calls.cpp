// Makes the smallest calls again and again, for whoever counts: callgrind instructions, or this
// program itself the allocations. Arguments: CONFIGURATIONS LIBRARY CALLS.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "bench/contestant.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define GRADPROOF_COUNTS_NOTHING
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

int main(int argc, char** argv) {
  using namespace gradproof;
  if (argc != 4) return 2;
#ifdef GRADPROOF_COUNTS_NOTHING
  std::puts("compiled without valgrind/callgrind.h");
#endif
  const std::string path = argv[2];
  const int calls = std::atoi(argv[3]);
  try {
    const props::Library library(std::span(&path, 1));
    props::Session session(library);
    session.select(ref::Product::Ascend910B, 1);
    bool allocated = false;
    for (const bench::Configuration& c : bench::read_configurations(argv[1])) {
      if (!c.tiny) continue;
      const bench::Problem problem = bench::make_problem(c, c.types.front(), session);
      const auto contestant =
          bench::make_gradproof(session, std::make_shared<bench::Tensors>(problem));
      for (int i = 0; i < 100; ++i) contestant->run();
      const bench::Allocations count = bench::count_allocations(session, problem);
      std::printf("%s: %.2f allocations in phase 1, %.2f in phase 2\n", c.name.c_str(),
                  count.phase1, count.phase2);
      allocated = allocated || count.phase1 > 0 || count.phase2 > 0;
      CALLGRIND_ZERO_STATS;
      for (int i = 0; i < calls; ++i) contestant->run();
      CALLGRIND_DUMP_STATS_AT(c.name.c_str());
    }
    return allocated ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "small_calls: %s\n", error.what());
    return 2;
  }
}
