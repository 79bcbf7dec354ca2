// Starts processes that ask a library one question, and waits for them.
#include "props/services/probe.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "props/services/ended.h"
#include "props/services/questions.h"

extern char** environ;

namespace gradproof::props {
namespace {

constexpr int kExits = 6;  // each shows it in some of ten cases

std::string probe_program;

/// What came of a question; nothing where no process is to be had.
struct Reply {
  std::string finding, not_asked;
  int signal = 0;  ///< that the process died of
};

/// A process's end that says nothing against the library: sanitizers give a status of their own
/// to a program that exits.
bool ended_well(const char* question, int status) {
  return std::string_view(question) == kExitQuestion ||
         (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

Reply probe(const Library& library, const char* question, const std::string& case_text = "",
            const char* config = nullptr) {
  if (probe_program.empty() || library.has_whole_program()) return {"", "no process can ask", 0};
  std::vector<std::string> words{probe_program, "--probe", question, case_text,
                                 config != nullptr ? config : ""};
  words.insert(words.end(), library.paths().begin(), library.paths().end());
  std::vector<char*> arguments(words.size() + 1);  // the last one is null
  std::transform(words.begin(), words.end(), arguments.begin(),
                 [](std::string& word) { return word.data(); });
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {"", "no process can ask", 0};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], kAnswer);
  posix_spawn_file_actions_addclosefrom_np(&actions, kAnswer + 1);
  pid_t child = -1;
  const int failed =
      posix_spawn(&child, probe_program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Reply reply;
  if (failed == 0) {
    int status = 0;
    std::string end = end_of(child, &status);
    if (end.empty() && !ended_well(question, status))
      end = "exits with status " + std::to_string(WEXITSTATUS(status));
    char text[1024];
    const ssize_t size = end.empty() ? read(ends[0], text, sizeof text) : 0;
    if (size > 1 && text[0] == kNotAsked)
      reply.not_asked.assign(text + 1, static_cast<std::size_t>(size - 1));
    else if (size > 0)
      reply.finding.assign(text, static_cast<std::size_t>(size));
    if (!end.empty())
      reply.finding = "a process that asks about " + std::string(question) + " " + end;
    if (WIFSIGNALED(status)) reply.signal = WTERMSIG(status);
  }
  close(ends[0]);
  return reply;
}

}  // namespace

void use_probe_program(const std::string& program) { probe_program = program; }

std::string ask_exit(const Library& library) {
  std::string found;
  for (int i = 0; i < kExits && found.empty(); ++i) found = probe(library, kExitQuestion).finding;
  return found;
}

std::string ask_work_at_exit(const Library& library) {
  return probe(library, kWorkAtExitQuestion).finding;
}

std::string ask_quiet_threads(const Library& library) {
  const std::string found = probe(library, kSignalsQuestion).finding;
  return found.empty() ? probe(library, kIdleQuestion).finding : found;
}

std::string ask_forks(const Library& library) {
  std::string found;
  for (const char* const question : {kForksQuestion, kHandlesQuestion, kLocksQuestion}) {
    if (found.empty()) found = probe(library, question).finding;
  }
  return found;
}

std::string ask_unloading(const Library& library) {
  return probe(library, kUnloadingQuestion).finding;
}

std::string ask_defaults(const Library& library) {
  return probe(library, kDefaultsQuestion).finding;
}

std::string ask_trace_beside(const Library& library, const char* config) {
  return probe(library, kTraceQuestion, "", config).finding;
}

std::string ask_host_tasks(const Library& library) {
  return probe(library, kTasksQuestion).finding;
}

Verdict ask_changing_indices(const Library& library, const Case& c, const char* config) {
  constexpr std::string_view kKind = "trespass";
  const std::string text = to_text(c);
  const Reply beside = probe(library, kChangingQuestion, text, config);
  if (!beside.finding.empty()) return Verdict::violated(std::string(kKind), beside.finding);
  if (!beside.not_asked.empty()) return Verdict::not_checked(beside.not_asked);
  const Reply between = probe(library, kReadsQuestion, text, config);
  // A thread that blocks this signal ends the process, which says nothing of its memory.
  if (!between.finding.empty() && between.signal != SIGTRAP)
    return Verdict::violated(std::string(kKind), between.finding);
  return {};
}

}  // namespace gradproof::props
