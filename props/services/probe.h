// Questions that need a process of their own: what a library does at exit(), to signals, and to the
// processor while it has nothing to do.
#pragma once

#include <string>
#include <vector>

#include "props/subject/library.h"

namespace gradproof::props {

/// The program that asks them, `gradproof`, started as `gradproof --probe QUESTION FILE…`. Until it
/// is named nothing is asked.
void use_probe_program(const std::string& program);

/// exit() while threads are inside calls: "" or what is wrong.
std::string ask_exit(const Library& library);
/// Signals that threads of the library would take, and what they cost without work: likewise.
std::string ask_quiet_threads(const Library& library);

/// Everything that such a process does. Returns its exit status; what is wrong goes to
/// descriptor 3.
int answer_probe(const std::string& question, const std::vector<std::string>& files);

}  // namespace gradproof::props
