// The library's part in what happens to its process: fork() and exit().
#pragma once

#include <cstdint>

namespace gradproof {

/// Where fork() is: about to happen, or done, in one of the two processes.
enum class Fork : std::uint8_t { ahead, in_parent, in_child };

/// Whether this process is a child of fork() in which the parent's streams and events are gone.
bool is_forked_child() noexcept;

// What each part does about it. `ahead` takes the locks whose data must be whole in the child and
// the other two release them; locks that may be held for long are created again in the child
// instead.
void tensors_at_fork(Fork phase) noexcept;
void arrays_at_fork(Fork phase) noexcept;  ///< scalars and lists too
void executors_at_fork(Fork phase) noexcept;
void contexts_at_fork(Fork phase) noexcept;
void events_at_fork(Fork phase) noexcept;
void streams_at_fork(Fork phase) noexcept;
void memory_at_fork(Fork phase) noexcept;
void quarantine_at_fork(Fork phase) noexcept;
void config_at_fork(Fork phase) noexcept;
void life_at_fork(Fork phase) noexcept;

/// Waits for the work of all streams, unless the calling thread is in the middle of such work.
void drain_at_exit() noexcept;

}  // namespace gradproof
