// Counts the allocations of the whole process, whichever library makes them.
#pragma once

#include <cstdint>

namespace gradproof::bench {

/// Calls of malloc and its kin so far, by any thread.
std::uint64_t allocations();

}  // namespace gradproof::bench
