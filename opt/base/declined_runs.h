// Counts the runs that a kernel left to another kernel because an index was outside its window.
// gradproof_get_statistics returns the count.
#pragma once

#include <atomic>
#include <cstdint>

namespace gradproof {

inline constinit std::atomic<std::uint64_t> declined_runs{0};

}  // namespace gradproof
