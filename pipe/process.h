// The process that computes: started by a command, met through its stdin and stdout.
#pragma once

#include <sys/types.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gradproof/subject/options.hpp"
#include "pipe/message.h"

namespace gradproof::pipe {

/// The process cannot go on; says what came from it.
struct Broken : std::runtime_error {
  Broken(const std::string& what, std::optional<int> with_status = std::nullopt, int by_signal = 0)
      : std::runtime_error(what), exit_status(with_status), signal(by_signal) {}
  std::optional<int> exit_status;  ///< it ended by itself
  int signal;                      ///< that ended it; 0: none
};

class Process {
 public:
  /// Starts the command, and waits for its greeting. Throws Broken.
  explicit Process(const std::string& command);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// What the process said of itself.
  const Json& greeting() const { return greeting_; }
  /// Has it compute a call. Throws Broken, after which it is of no use.
  subject::Answer perform(const Request& request);

 private:
  void write(std::string_view bytes);
  std::string read(std::size_t size, const std::string& what);
  void read_into(char* to, std::size_t size, const std::string& what);
  Json read_header(const std::string& what);
  std::size_t receive(char* to, std::size_t room);
  void expect_nothing(const char* when);
  Broken ended(const std::string& when);

  int socket_ = -1;
  pid_t id_ = -1;
  Json greeting_;
};

}  // namespace gradproof::pipe
