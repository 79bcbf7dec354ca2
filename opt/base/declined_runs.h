// Kernels that gave a run up, because an index was outside its window, and left it to another one:
// how many. The statistics tell.
#pragma once

#include <atomic>
#include <cstdint>

namespace gradproof {

inline constinit std::atomic<std::uint64_t> declined_runs{0};

}  // namespace gradproof
