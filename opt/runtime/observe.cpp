// Logging and tracing of what streams do.
#include "opt/runtime/observe.h"

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <string>

#include <unistd.h>

#include "gradproof/config.h"
#include "opt/base/no_cancel.h"
#include "opt/base/parallel_state.h"
#include "opt/runtime/message.h"
#include "opt/runtime/trace.h"

namespace gradproof {

constinit std::atomic<bool> observing_flag{false};

namespace {

constinit std::atomic<LogLevel> level_in_force{LogLevel::off};
constinit std::atomic<bool> telling{false};  // whether log or trace is on

/// The program's function for lines of the log; null: stderr has them.
struct Listener {
  gradproofLog call = nullptr;
  void* user = nullptr;
};
// Shared by threads that are in the function, so that whoever replaces it knows that none is.
constinit std::shared_mutex listener_mutex;
constinit Listener listener;
constinit thread_local bool listening = false;  // this thread is in the program's function

/// What a task is called, and details for the trace.
struct Told {
  const char* name;
  const char* category;
  LogLevel level;
  std::string words;      ///< for the log
  std::string arguments;  ///< for the trace: members of a JSON object
};

struct Tell {
  Told operator()(std::monostate) const { return {"nothing", "runtime", LogLevel::debug, {}, {}}; }
  Told operator()(const RunPlan& task) const {
    const CallNotes* notes = task.call->notes.get();
    if (notes == nullptr)
      return {"kernel", "kernel", LogLevel::info, "planned before logging was on", {}};
    const std::string workspace = std::to_string(notes->workspace_bytes);
    // A plan of before a fork() may run in the child.
    const int most = parallel_state::serial.load() ? 1 : notes->threads;
    const std::string threads = std::to_string(most);
    return {notes->api, "kernel", LogLevel::info,
            std::string("kernel ") + task.call->kernel + ", instruction set " +
                notes->instruction_set + ", threads at most " + threads + ", workspace " +
                workspace + " bytes; " + notes->tensors,
            "\"kernel\":" + trace::quoted(task.call->kernel) +
                ",\"instruction_set\":" + trace::quoted(notes->instruction_set) +
                ",\"threads\":" + threads + ",\"workspace_bytes\":" + workspace +
                ",\"tensors\":" + trace::quoted(notes->tensors)};
  }
  Told operator()(const CopyBytes& task) const { return bytes("copy", task.bytes); }
  Told operator()(const FillBytes& task) const { return bytes("fill", task.bytes); }
  Told operator()(const ReachMark&) const {
    return {"record event", "event", LogLevel::debug, {}, {}};
  }
  Told operator()(const AwaitMark&) const {
    return {"wait for event", "event", LogLevel::debug, {}, {}};
  }

 private:
  static Told bytes(const char* name, std::size_t count) {
    const std::string number = std::to_string(count);
    return {name, "memory", LogLevel::debug, number + " bytes", "\"bytes\":" + number};
  }
};

const char* name(LogLevel level) { return level == LogLevel::info ? "info" : "debug"; }

/// Whether the program took the line.
bool handed_over(LogLevel level, const char* line) {
  const std::shared_lock lock(listener_mutex);
  if (listener.call == nullptr) return false;
  listening = true;
  listener.call(static_cast<int>(level), line, listener.user);
  listening = false;
  return true;
}

}  // namespace

Status begin_observation(const Config& config) {
  if (config.trace == nullptr) {
    trace::end();
  } else {
    GRADPROOF_TRY(trace::begin(config.trace));
  }
  level_in_force.store(config.log, std::memory_order_relaxed);
  telling.store(config.observes(), std::memory_order_relaxed);
  observing_flag.store(config.observes() || config.statistics, std::memory_order_release);
  return {};
}

void end_observation() noexcept {
  observing_flag.store(false, std::memory_order_relaxed);
  level_in_force.store(LogLevel::off, std::memory_order_relaxed);
  trace::end();
}

void log_line(LogLevel level, const char* format, ...) noexcept {
  if (level > level_in_force.load(std::memory_order_relaxed)) return;
  if (listening) return;  // the program's function calls the library: no line about a line
  const NoCancel whole;
  char line[2048];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (handed_over(level, line)) return;
  // One call: lines stay whole. Those of a server's workers are told apart by the process.
  char process[32] = "";
  if (is_forked_child())  // perhaps uncovered: forked child
    std::snprintf(process, sizeof process, "; process %d", static_cast<int>(getpid()));
  std::fprintf(stderr, "gradproof %s: %s%s\n", name(level), line, process);
}

void tell(const Task& task, std::uint32_t stream, Moment begin, Moment end,
          const Status& status) noexcept {
  if (!telling.load(std::memory_order_relaxed)) return;
  try {
    const Told told = std::visit(Tell{}, task);
    log_line(told.level, "%s on stream %u, %.1f us%s%s%s%s", told.name, stream,
             std::chrono::duration<double, std::micro>(end - begin).count(),
             told.words.empty() ? "" : ": ", told.words.c_str(),
             status.ok() ? "" : "; failed: ", status.message());
    trace::write(stream, told.name, told.category, begin, end, told.arguments);
  } catch (const std::bad_alloc&) {  // uncovered: out of memory
    log_line(LogLevel::info, "out of memory while a task was logged");
  }
}

void observation_at_fork(Fork phase) noexcept {
  // A thread in the program's function, other than the one that forks, is not in the child.
  // perhaps uncovered: forked child
  if (phase == Fork::in_child && !listening) new (&listener_mutex) std::shared_mutex;
}

}  // namespace gradproof

extern "C" aclError gradproof_set_log(gradproofLog log, void* user) {
  using namespace gradproof;
  if (listening) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: must not be called from the program's log function",
                __func__);
  }
  const NoCancel whole;
  const std::unique_lock lock(listener_mutex);
  listener = {log, user};
  return ACL_SUCCESS;
}
