// All scenarios of process_program; each has its sentence where it is defined.
#pragma once

namespace gradproof::test {

void default_stream_outlives_resets();
void device_references_are_counted();
void destroyed_streams_are_waited_for();
void overlapping_workspaces_are_refused();

void forked_child_may_exit();
void forked_child_has_no_streams();
void forked_child_may_compute();
void forks_in_the_midst_of_calls();
void forked_child_leaves_the_trace();
void forked_child_logs_the_truth();

void exits_inside_calls();
void child_that_exits_inside_calls();
void work_is_done_at_exit();

void calls_from_host_tasks();
void child_that_calls_from_tasks();
void host_locks_around_calls();
void child_that_locks_around_calls();

void threads_are_named_and_block_signals();
void waiting_callers_may_be_cancelled();
void calls_are_no_cancellation_points();
void idle_streams_cost_nothing();
void work_starts_at_once();
void quick_work_wakes_nobody();
void tight_loops_wake_nobody();
void full_queues_refuse();
void creations_stay_quick();
void creations_among_ten_million();
void child_in_a_control_group();

}  // namespace gradproof::test
