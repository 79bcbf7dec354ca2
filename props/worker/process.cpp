// Starts, watches and ends a worker process.
#include "props/worker/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "props/cases/input_error.h"
#include "props/worker/worker.h"

namespace gradproof::props {
namespace {

using Clock = std::chrono::steady_clock;

/// How long an orderly end may take; coverage data of an instrumented library is written then.
constexpr auto kLastWords = std::chrono::seconds(5);
/// How often the user's wish to stop is asked for, in ms, and how long the current check may go on
/// then.
constexpr int kTick = 100;
constexpr auto kGrace = std::chrono::seconds(1);

/// The environment, and glibc's malloc without caches of threads: what lies in them counts as
/// allocated, so that memory that one thread allocates and another one frees looked like a leak.
std::vector<std::string> worker_environment(const std::optional<TemporaryFolder>& folder) {
  static constexpr std::string_view kTunables = "GLIBC_TUNABLES=", kFolder = "TMPDIR=";
  std::string tunables = std::string(kTunables) + "glibc.malloc.tcache_count=0";
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with(kTunables))
      tunables += ":" + std::string(text.substr(kTunables.size()));
    else if (!folder || !text.starts_with(kFolder))
      all.emplace_back(text);
  }
  all.push_back(std::move(tunables));
  if (folder) all.push_back(std::string(kFolder) + folder->path().string());
  return all;
}

int spawn(const std::string& program, std::vector<std::string> variables, int socket, int progress,
          int output, int errors) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&files, socket, kWorkerSocket);
  posix_spawn_file_actions_adddup2(&files, progress, kWorkerProgress);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults, none;
  sigfillset(&defaults);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  std::string name = "gradproof", flag = "--worker", parent = std::to_string(getpid());
  char* const arguments[] = {name.data(), flag.data(), parent.data(), nullptr};
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  pid_t id = -1;
  const int error =
      posix_spawn(&id, program.c_str(), &files, &attributes, arguments, environment.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::system_error(error, std::generic_category(), "starting " + program);
  return id;
}

}  // namespace

Process::Process(const std::string& program)
    : progress_file_(anonymous_file("progress")),
      output_(anonymous_file("stdout")),
      errors_(anonymous_file("stderr")),
      progress_(progress_file_.get()) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  socket_ = Descriptor(ends[0]);
  const Descriptor low(ends[1]);
  // Out of the way of the numbers that the worker knows its descriptors by.
  const Descriptor theirs(fcntl(low.get(), F_DUPFD_CLOEXEC, 16));
  try {
    folder_.emplace();
  } catch (const InputError&) {
  }
  id_ = spawn(program, worker_environment(folder_), theirs.get(), progress_file_.get(),
              output_.get(), errors_.get());
}

Process::~Process() {
  if (over_) return;
  shutdown(socket_.get(), SHUT_RDWR);
  for (const auto end = Clock::now() + kLastWords; Clock::now() < end;) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != 0)
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill();
}

int Process::kill() {
  if (over_) return status_;
  over_ = true;
  ::kill(-id_, SIGKILL);  // its children too; it is no zombie yet, so the number is still its own
  while (waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
  }
  return status_;
}

Process::Event Process::wait(const std::function<double(std::uint32_t position)>& seconds_of,
                             Limited limited, const std::function<bool()>& stop,
                             const std::function<bool()>& enough) {
  const auto reached = [&] {
    const std::uint32_t steps =
        limited == Limited::step ? progress_->steps.load(std::memory_order_relaxed) : 0;
    return std::pair(progress_->position(), steps);
  };
  auto place = reached();
  auto since = Clock::now();
  std::optional<Clock::time_point> stopped;
  for (;;) {
    if (enough()) progress_->enough.store(true, std::memory_order_relaxed);
    pollfd ready{socket_.get(), POLLIN, 0};
    if (poll(&ready, 1, kTick) > 0)
      return (ready.revents & POLLIN) != 0 ? Event::message : Event::gone;
    const auto now = Clock::now();
    if (!stopped && stop()) stopped = now;
    if (stopped && now - *stopped > kGrace) return Event::stopped;
    if (const auto current = reached(); current != place) {
      place = current;
      since = now;
    }
    if (std::chrono::duration<double>(now - since).count() > seconds_of(place.first))
      return Event::late;
  }
}

}  // namespace gradproof::props
