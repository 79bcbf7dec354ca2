// Questions that need a process of their own: what a library does at exit(), to signals, to the
// processor while it has nothing to do, when it is unloaded, without aclInit, in tasks of the
// program, and with indices that change.
#pragma once

#include <string>
#include <vector>

#include "props/cases/case.h"
#include "props/judge/verdict.h"
#include "props/subject/library.h"

namespace gradproof::props {

/// The program that asks them, `gradproof`, started as `gradproof --probe QUESTION CASE CONFIG
/// FILE…`. Until it is named nothing is asked.
void use_probe_program(const std::string& program);

/// exit() while threads are inside calls: "" or what is wrong.
std::string ask_exit(const Library& library);
/// exit() with work enqueued: likewise. Device memory must be memory of the process.
std::string ask_work_at_exit(const Library& library);
/// Signals that threads of the library would take, and what they cost without work: likewise.
std::string ask_quiet_threads(const Library& library);
/// Calls, and all else that takes locks, in a child of fork(): likewise.
std::string ask_forks(const Library& library);
/// Programs that unload the library and load it again: likewise.
std::string ask_unloading(const Library& library);
/// Options in a program that never calls aclInit: likewise.
std::string ask_defaults(const Library& library);
/// Another process begins the trace that `config`, aclInit's file, names: likewise.
std::string ask_trace_beside(const Library& library, const char* config);
/// Calls from tasks of the program's own oneTBB, with its locks held: likewise.
std::string ask_host_tasks(const Library& library);
/// The case's indices or mask change while the gradient runs. `config` is aclInit's file, or null.
Verdict ask_changing_indices(const Library& library, const Case& c, const char* config);

/// What such a process is told.
struct Probe {
  std::string question;
  std::string case_text;           ///< "": the question needs none
  std::string config;              ///< aclInit's file; "": none
  std::vector<std::string> files;  ///< of the library
};

/// Everything that such a process does. Returns its exit status; what is wrong goes to
/// descriptor 3. `tasks_library` runs tasks of oneTBB (host_tasks.h); "": there is none.
int answer_probe(const Probe& probe, const std::string& tasks_library);

}  // namespace gradproof::props
