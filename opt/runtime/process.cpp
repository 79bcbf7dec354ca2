// The library's part in what happens to its process: fork() and exit().
//
// fork(): the child has the calling thread alone. Streams and events of the parent end there (their
// threads do not exist, their work is the parent's), descriptors and memory live on as copies, and
// kernels run on one thread if oneTBB had been used. The child may use the library like any
// process.
//
// exit(): the work of all streams is done first. Nothing that threads may be using is destroyed:
// the tables stay, a call that runs meanwhile goes on, and from then on kernels leave oneTBB alone,
// which ends soon after.
#include "opt/runtime/process.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <pthread.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include "opt/base/declined_runs.h"
#include "opt/base/parallel_state.h"
#include "opt/runtime/observe.h"
#include "opt/runtime/strict.h"
#include "opt/runtime/trace.h"
#include "opt/runtime/workspaces.h"

namespace gradproof {
namespace {

constinit std::atomic<bool> forked_child{false};
constinit std::atomic<int> exit_status{0};  ///< of a forked child, once it exits

void keep_status(int status, void*) { exit_status.store(status); }

constexpr void (*kParts[])(Fork) noexcept = {
    // In the order in which locks are taken one inside the other.
    life_at_fork,    memory_at_fork,  quarantine_at_fork,  config_at_fork,      trace::at_fork,
    strict::at_fork, tensors_at_fork, arrays_at_fork,      executors_at_fork,   contexts_at_fork,
    events_at_fork,  streams_at_fork, workspaces::at_fork, observation_at_fork,
};

void fork_ahead() {
  for (const auto part : kParts) part(Fork::ahead);
}
void fork_in_parent() {
  for (std::size_t i = std::size(kParts); i-- > 0;) kParts[i](Fork::in_parent);
}
void fork_in_child() {
  forked_child.store(true);
  on_exit(keep_status, nullptr);
  // perhaps uncovered: forked child
  if (parallel_state::started.load()) parallel_state::serial.store(true);
  parallel_state::running.store(0);
  declined_runs.store(0);
  // perhaps uncovered: forked child
  for (std::size_t i = std::size(kParts); i-- > 0;) kParts[i](Fork::in_child);
}

void at_exit() {
  drain_at_exit();
  parallel_state::serial.store(true);
  // Loops that other threads began before. They take milliseconds; one that does not end must not
  // keep the process.
  using Clock = std::chrono::steady_clock;
  const auto give_up = Clock::now() + std::chrono::seconds(2);
  while (parallel_state::running.load() > 0 && Clock::now() < give_up) {  // perhaps uncovered: race
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  end_observation();
  if (forked_child.load() && parallel_state::started.load()) {  // perhaps uncovered: forked child
    // oneTBB's destructor would run next. It waits for ever if a thread of the parent held a lock
    // of oneTBB at the time of fork(). Handlers that were registered after the library was loaded
    // have run already; earlier ones do not run.
    std::fflush(nullptr);
    _exit(exit_status.load());
  }
}

/// Before every constructor of a global of ordinary priority, so that those find it done, and
/// registered first means run last.
[[gnu::constructor(101)]] void join_process() {
  // oneTBB counts the processors once, and waits for ever for a count that ended for lack of
  // memory.
  (void)tbb::this_task_arena::max_concurrency();
  pthread_atfork(fork_ahead, fork_in_parent, fork_in_child);
  std::atexit(at_exit);
}

}  // namespace

bool is_forked_child() noexcept { return forked_child.load(std::memory_order_relaxed); }

}  // namespace gradproof
