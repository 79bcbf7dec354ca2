// Starts the process, writes calls to it and reads its results.
//
// Its stdin and stdout are one socket rather than two pipes: a process that is gone then fails a
// write instead of killing this one by SIGPIPE. Whoever loads this library limits the time.
#include "pipe/process.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace gradproof::pipe {
namespace {

/// A process that has closed its end is waited for so long, that its status may be told.
constexpr auto kLastWords = std::chrono::seconds(1);
/// A shell's exit status for a program that a signal ended.
constexpr int kShellSignal = 128;

std::string system_message(const std::string& what) { return what + ": " + strerrordesc_np(errno); }

std::string count(std::size_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

}  // namespace

Process::Process(const std::string& command) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Broken(system_message("no socket for it"));
  socket_ = ends[0];
  posix_spawnattr_t attributes;  // streams have blocked all signals
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  std::string shell = "sh", flag = "-c", text = command;
  char* const arguments[] = {shell.data(), flag.data(), text.data(), nullptr};
  const int error = posix_spawn(&id_, "/bin/sh", &files, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  try {
    if (error != 0) throw Broken(std::string("no process for it: ") + strerrordesc_np(error));
    greeting_ = read_header("greeting");
    if (greeting_.value("gradproof", Json()) != 1 || !greeting_.contains("kernels"))
      throw Broken("its greeting must have \"gradproof\": 1 and \"kernels\", and is " +
                   shown(greeting_.dump()));
  } catch (const Broken& e) {
    close(socket_);
    if (e.exit_status != 0) throw;
    throw Broken(e.what() + std::string("; is gradproof.serve() missing?"), 0);
  } catch (...) {
    close(socket_);
    throw;
  }
}

// Its end of the socket says that no call will come. One that does not end by itself goes with this
// process, whose group it belongs to.
Process::~Process() { close(socket_); }

subject::Answer Process::perform(const Request& request) {
  expect_nothing("that belong to no result");
  write(request.bytes);
  const Json header = read_header("result");
  const auto text = [&](const char* key) {
    if (!header[key].is_string()) throw Broken("a result of " + shown(header.dump()));
    return header[key].get<std::string>();
  };
  if (header.contains("not_supported")) return subject::not_supported(text("not_supported"));
  if (header.contains("failed")) return subject::failed(text("failed"));
  if (!header.contains("bytes") || !header["bytes"].is_number_unsigned())
    throw Broken("a result must have \"bytes\", \"not_supported\" or \"failed\", and is " +
                 shown(header.dump()));
  const auto announced = header["bytes"].get<std::uint64_t>();
  const Storage& to = request.result;
  if (announced != to.bytes)
    throw Broken("too " + std::string(announced < to.bytes ? "few" : "many") +
                 " bytes: " + count(announced) + " of " + to.name + ", whose storage has " +
                 std::to_string(to.bytes));
  read_into(to.data, to.bytes, to.name);
  expect_nothing("too many after a result");
  return {};
}

/// While the process does not read, what it writes is received, so that it cannot wait for us.
void Process::write(std::string_view bytes) {
  while (!bytes.empty()) {
    pollfd ready{socket_, POLLIN | POLLOUT, 0};
    if (poll(&ready, 1, -1) < 0 && errno != EINTR) throw Broken(system_message("poll"));
    if ((ready.revents & POLLIN) != 0) {
      char came[64];
      const std::size_t size = receive(came, sizeof came);
      if (size == 0) throw ended("before it had read the call");
      throw Broken("rubbish before the call was read: " + shown({came, size}));
    }
    if ((ready.revents & POLLOUT) == 0) continue;
    const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EPIPE || errno == ECONNRESET) {
      throw ended("before it had read the call");
    } else if (errno != EAGAIN && errno != EINTR) {
      throw Broken(system_message("send"));
    }
  }
}

/// 0 at the end.
std::size_t Process::receive(char* to, std::size_t room) {
  for (;;) {
    const ssize_t got = recv(socket_, to, room, 0);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == ECONNRESET) return 0;
    if (errno != EINTR) throw Broken(system_message("recv"));
  }
}

void Process::read_into(char* to, std::size_t size, const std::string& what) {
  std::size_t have = 0;
  while (have < size) {
    const std::size_t got = receive(to + have, size - have);
    if (got == 0)
      throw ended(have == 0 ? "before " + what
                            : "after " + count(have) + " of the " + std::to_string(size) + " of " +
                                  what + ": " + shown({to, have}));
    have += got;
  }
}

std::string Process::read(std::size_t size, const std::string& what) {
  std::string bytes(size, '\0');
  read_into(bytes.data(), size, what);
  return bytes;
}

Json Process::read_header(const std::string& what) {
  std::string first = read(kLengthBytes, "the " + what);
  const std::uint64_t length = length_of(first);
  if (length > kLongestHeader) {
    char more[64];  // as much as is there already: it is for people
    const ssize_t got = recv(socket_, more, sizeof more, MSG_DONTWAIT);
    if (got > 0) first.append(more, static_cast<std::size_t>(got));
    throw Broken("rubbish instead of a " + what + ": " + shown(first));
  }
  const std::string text = read(static_cast<std::size_t>(length), "the header of the " + what);
  Json header = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object()) throw Broken("a " + what + " that is no JSON object: " + shown(text));
  return header;
}

void Process::expect_nothing(const char* when) {
  char came[64];
  const ssize_t size = recv(socket_, came, sizeof came, MSG_DONTWAIT);
  if (size > 0)
    throw Broken("bytes " + std::string(when) + ": " +
                 shown({came, static_cast<std::size_t>(size)}));
}

Broken Process::ended(const std::string& when) {
  const auto end = std::chrono::steady_clock::now() + kLastWords;
  int status = 0;
  while (waitpid(id_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end)
      return Broken("the process closed its stdout " + when);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) <= kShellSignal) {
    const int code = WEXITSTATUS(status);
    return {"the process ended with exit status " + std::to_string(code) + ' ' + when, code};
  }
  const int signal = WIFEXITED(status) ? WEXITSTATUS(status) - kShellSignal : WTERMSIG(status);
  const char* const name = sigabbrev_np(signal);
  return {"the process was ended by " +
              (name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal)) +
              ' ' + when,
          std::nullopt, signal};
}

}  // namespace gradproof::pipe
