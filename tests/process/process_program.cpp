// Runs one scenario, whose name is the argument: a process of its own for each, since what is
// tested happens to processes.
#include <cstring>

#include "tests/process/scenario.h"
#include "tests/process/scenarios.h"

int main(int argc, char** argv) {
  using namespace gradproof::test;
#define SCENARIO(name) \
  { #name, name }
  constexpr Scenario all[] = {
      SCENARIO(default_stream_outlives_resets),
      SCENARIO(device_references_are_counted),
      SCENARIO(destroyed_streams_are_waited_for),
      SCENARIO(overlapping_workspaces_are_refused),
      SCENARIO(forked_child_may_exit),
      SCENARIO(forked_child_has_no_streams),
      SCENARIO(forked_child_may_compute),
      SCENARIO(forks_in_the_midst_of_calls),
      SCENARIO(forked_child_leaves_the_trace),
      SCENARIO(forked_child_logs_the_truth),
      SCENARIO(exits_inside_calls),
      SCENARIO(child_that_exits_inside_calls),
      SCENARIO(work_is_done_at_exit),
      SCENARIO(calls_from_host_tasks),
      SCENARIO(child_that_calls_from_tasks),
      SCENARIO(host_locks_around_calls),
      SCENARIO(child_that_locks_around_calls),
      SCENARIO(threads_are_named_and_block_signals),
      SCENARIO(waiting_callers_may_be_cancelled),
      SCENARIO(calls_are_no_cancellation_points),
      SCENARIO(idle_streams_cost_nothing),
      SCENARIO(work_starts_at_once),
      SCENARIO(quick_work_wakes_nobody),
      SCENARIO(tight_loops_wake_nobody),
      SCENARIO(full_queues_refuse),
      SCENARIO(creations_stay_quick),
      SCENARIO(creations_among_ten_million),
      SCENARIO(child_in_a_control_group),
  };
#undef SCENARIO
  for (const Scenario& scenario : all) {
    if (argc != 2 || std::strcmp(argv[1], scenario.name) != 0) continue;
    scenario.run();
    return 0;
  }
  std::fprintf(stderr, "no scenario '%s'\n", argc == 2 ? argv[1] : "");
  return 2;
}
