// The kernels that a process computes, one for each gradient, as a library that `gradproof --exec`
// loads.
//
// The command is in the environment variable GRADPROOF_EXEC. One process at a time: it is started
// when the library is loaded, and again by the call that follows its end.
#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gradproof/subject.hpp>
#include <memory>
#include <mutex>

#include "pipe/process.h"

namespace gradproof::pipe {
namespace {

/// Calls come from the threads of several streams.
std::mutex mutex;
std::unique_ptr<Process> process;
/// Of the first process; what it says holds for all.
Json greeting;
std::string profile;

std::string command() {
  const char* const text = secure_getenv("GRADPROOF_EXEC");
  return text != nullptr ? text : "";
}

/// Throws a JSON exception where a type is wrong.
void take_options() {
  profile = greeting.value("profile", "documented");
  subject::Options& options = subject::detail::options;
  options.contiguous = greeting.value("contiguous", false);
  options.positions = greeting.value("positions", false);
}

/// A kernel's process that crashes or exits does what a library of kernels would have done: its own
/// process ends in the same way.
void end_likewise(const Broken& e) {
  if (e.signal == 0 && !e.exit_status) return;
  std::fprintf(stderr, "'%s': %s\n", command().c_str(), e.what());
  if (e.exit_status) _exit(*e.exit_status);
  std::signal(e.signal, SIG_DFL);
  kill(getpid(), e.signal);
}

template <template <class> class Op>
subject::Answer perform(const Op<void>& call) {
  const std::lock_guard lock(mutex);
  try {
    if (!process) process = std::make_unique<Process>(command());
    return process->perform(request(call));
  } catch (const Broken& e) {
    process.reset();
    end_likewise(e);
    return subject::failed(std::string("from the kernel's process: ") + e.what());
  }
}

}  // namespace
}  // namespace gradproof::pipe

using namespace gradproof::pipe;

#define GRADPROOF_HOOK extern "C" __attribute__((visibility("default")))

/// Asked first. Says why nothing can be judged; null if it can.
GRADPROOF_HOOK const char* gradproof_start() {
  static std::string wrong;
  try {
    process = std::make_unique<Process>(command());
    greeting = process->greeting();
    take_options();
    return nullptr;
  } catch (const std::exception& e) {
    wrong = "'" + command() + "' cannot be used: " + e.what();
    return wrong.c_str();
  }
}

/// Whether the process computes an operator.
GRADPROOF_HOOK bool gradproof_has(const char* stem) {
  for (const Json& kernel : greeting["kernels"])
    if (kernel == stem) return true;
  return false;
}

/// What takes the place of a file's name.
GRADPROOF_HOOK const char* gradproof_source() {
  static const std::string text = command();
  return text.c_str();
}

const char* gradproof_profile() { return profile.c_str(); }

#define GRADPROOF_BY_PROCESS(stem, Struct) GRADPROOF_KERNEL(stem, perform)
GRADPROOF_GRADIENTS(GRADPROOF_BY_PROCESS)
