// Takes the place of Highway's measurement of the clock while valgrind counts: Highway makes it
// when it is loaded, with an instruction (RDTSCP) that valgrind refuses on processors which do not
// announce it. Nothing in the library uses the result.
#include <cstdint>

namespace hwy::platform {
[[gnu::visibility("default")]] std::uint64_t TimerResolution();
std::uint64_t TimerResolution() { return 1; }
}  // namespace hwy::platform
