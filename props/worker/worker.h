// A library in a process of its own: what it does to that process is a verdict.
//
// The worker is this program again, started as `gradproof --worker PID`: it inherits no lock, no
// memory and no thread. It leads a process group of its own, so that the interrupts of a terminal
// reach the suite alone, and dies with the suite. The suite never loads the library itself.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "props/worker/examiner.h"

namespace gradproof::props {

struct WorkerOptions {
  double timeout = 20;  ///< seconds for one call; more for cases of more than a few MiB
  /// Asked while the worker is busy: whether the user wants to stop.
  std::function<bool()> stop = [] { return false; };
  std::string program = "/proc/self/exe";
};

/// Throws InputError if the library cannot be used, a crash or hang while it is loaded included.
/// Its checks throw bad_alloc if memory runs out outside the library, and HostError if threads do:
/// that is no finding.
std::unique_ptr<Examiner> examine_in_worker(const Subject& subject, WorkerOptions options);

/// Everything that a worker process does; `parent` is the id of the suite's process. Returns its
/// exit status.
int serve_as_worker(int parent);

/// Where the worker finds what it inherits.
inline constexpr int kWorkerSocket = 3, kWorkerProgress = 4;

/// The first byte of a message to the worker; the rest of it is the request's arguments.
enum class Request : std::uint8_t {
  use,    ///< libraries, command, threads, profile → what is wrong ("" if nothing), operators,
          ///< functions, the profile's text, and what to call it in errors
  start,  ///< whether as a product of choice, and which → what is wrong, whether it can be started,
          ///< the product, and the verdict
  check,  ///< number of checks, each a property's index, whether the case is the one before, else
          ///< the case → Reply::answer with position, verdict, output, seconds and notes for those
          ///< that are worth one, Reply::done with how many were made, the seconds of the others
          ///< together, and the kernels that ran
  outputs,       ///< case → tensors
  look_at,       ///< property and case → verdict, picture, calls
  attempt_with,  ///< property, case and places of entries → verdict
  choices,       ///< → Choices
  kernels_for,   ///< cases, instruction set → a kernel's name for each
};
enum class Reply : std::uint8_t {
  done,
  answer,
  no_memory,  ///< instead of the above: the suite's own side ran out of memory
  host        ///< likewise: what else the host lacks, in words
};

}  // namespace gradproof::props
