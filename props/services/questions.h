// The questions that processes of their own ask (probe.h): their names, and who answers them.
#pragma once

#include <string>
#include <vector>

#include "props/cases/case.h"
#include "props/services/answers.h"

namespace gradproof::props {

constexpr int kAnswer = 3;          // the descriptor where a process writes what is wrong
constexpr char kNotAsked = '\x18';  // begins an answer that says why nothing was asked

// As they are named in findings: "a process that asks about exit dies of signal 6".
constexpr const char* kExitQuestion = "exit";
constexpr const char* kWorkAtExitQuestion = "work at exit";
constexpr const char* kSignalsQuestion = "signals";
constexpr const char* kIdleQuestion = "idle";
constexpr const char* kForksQuestion = "calls after fork()";
constexpr const char* kHandlesQuestion = "arrays after fork()";
constexpr const char* kLocksQuestion = "locks after fork()";
constexpr const char* kUnloadingQuestion = "unloading";
constexpr const char* kDefaultsQuestion = "options without aclInit";
constexpr const char* kTraceQuestion = "a trace beside another";
constexpr const char* kTasksQuestion = "tasks of the program";
constexpr const char* kChangingQuestion = "changing indices";
constexpr const char* kReadsQuestion = "changing indices, read by read";

/// Why a question was not asked.
struct NotAsked {
  std::string why;
};

/// Ends by exit() while threads are inside calls.
void probe_exit(Answers& is, const Library& library);
/// Signals that threads of the library take, and their names, if it promises any.
void probe_signals(Answers& is, const Library& library);
/// What streams without work cost.
void probe_idle(Answers& is, const Library& library);
/// Programs that load the library, work on it, unload it and go on, many times.
void probe_unloading(Answers& is, const std::vector<std::string>& files);
/// The options of a program that never calls aclInit.
void probe_defaults(Answers& is, const std::vector<std::string>& files);
/// A program that exits with work enqueued, in memory of the process.
void probe_work_at_exit(Answers& is, const std::vector<std::string>& files);
/// Arrays, scalars and lists in a child of fork(), while another thread makes them.
void probe_handles_after_fork(Answers& is, const Library& library);
/// All else that takes locks, likewise: memory, events, contexts, calls, options, aclInit.
void probe_locks_after_fork(Answers& is, const Library& library);
/// Calls in a child of fork(), after calls on several threads.
void probe_forks(Answers& is, const Library& library);
/// Calls from tasks. `tasks_library`: see tbb_tasks.h.
void probe_tasks(Answers& is, const Library& library, const std::string& tasks_library);
/// Calls of the case whose indices a thread changes meanwhile.
void probe_changing_indices(Answers& is, const Library& library, const Case& c);
/// The same, but they change between any two reads, whichever thread reads them.
void probe_indices_read_by_read(Answers& is, const Library& library, const Case& c);

/// A call of a gradient that the library has which is worth several threads, with data whose sums
/// are exact in any order. Throws NotAsked if it has none.
Case large_case(const Library& library);
/// One that a single thread does at once.
Case small_case(const Library& library);

}  // namespace gradproof::props
