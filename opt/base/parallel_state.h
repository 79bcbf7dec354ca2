// Whether kernels may use oneTBB: no longer in a child of fork(), whose workers do not exist, and
// while the process exits, when oneTBB itself ends.
#pragma once

#include <atomic>

namespace gradproof::parallel_state {

inline constinit std::atomic<bool> serial{false};   ///< kernels run on the thread that they are on
inline constinit std::atomic<bool> started{false};  ///< oneTBB has been asked for workers
inline constinit std::atomic<int> running{0};       ///< loops that are on oneTBB now

}  // namespace gradproof::parallel_state
