// Starts processes that ask a library one question, and waits for them.
#include "props/services/probe.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "props/services/ended.h"

extern char** environ;

namespace gradproof::props {
namespace {

constexpr int kAnswer = 3;  // where a probe writes what is wrong
constexpr int kExits = 6;   // each shows it in some of ten cases

std::string probe_program;

/// What is wrong, as the probe says or as it ends. Nothing where no process is to be had.
std::string probe(const Library& library, const char* question) {
  if (probe_program.empty() || library.has_whole_program()) return "";
  std::vector<std::string> words{probe_program, "--probe", question};
  words.insert(words.end(), library.paths().begin(), library.paths().end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], kAnswer);
  posix_spawn_file_actions_addclosefrom_np(&actions, kAnswer + 1);
  pid_t child = -1;
  const int failed =
      posix_spawn(&child, probe_program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string said;
  if (failed == 0) {
    const std::string end = end_of(child);
    char text[1024];
    const ssize_t size = end.empty() ? read(ends[0], text, sizeof text) : 0;
    if (size > 0) said.assign(text, static_cast<std::size_t>(size));
    if (!end.empty()) said = "a process that asks about " + std::string(question) + " " + end;
  }
  close(ends[0]);
  return said;
}

}  // namespace

void use_probe_program(const std::string& program) { probe_program = program; }

std::string ask_exit(const Library& library) {
  std::string found;
  for (int i = 0; i < kExits && found.empty(); ++i) found = probe(library, "exit");
  return found;
}

std::string ask_quiet_threads(const Library& library) {
  const std::string found = probe(library, "signals");
  return found.empty() ? probe(library, "idle") : found;
}

}  // namespace gradproof::props
