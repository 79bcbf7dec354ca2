// Messages between the suite and its worker: a socket, and a page that both see.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "props/subject/access.h"
#include "props/subject/step.h"

namespace gradproof::props {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int get() const { return number_; }

 private:
  int number_ = -1;
};

/// What the worker is doing, readable after its death.
struct Progress {
  std::atomic<std::uint32_t> begun{0}, ended{0};  ///< checks of the present request
  std::atomic<Step> step{Step::between_calls};
  std::atomic<std::uint32_t> steps{0};  ///< begun and ended, of all checks
  std::atomic<bool> enough{false};      ///< no further check of the present request is to begin
  char call[kCallRoom]{};      ///< of those that a property performs on its own, the last one noted
  char access[kAccessRoom]{};  ///< that ended the process, in words

  /// Of the current check, or of the last one.
  std::uint32_t position() const {
    const std::uint32_t count = begun.load(std::memory_order_relaxed);
    return count > 0 ? count - 1 : 0;
  }
  /// What happens now is no check's doing.
  bool between_checks() const {
    return begun.load(std::memory_order_relaxed) == ended.load(std::memory_order_relaxed);
  }
};

/// Progress in memory that a descriptor stands for; a descriptor of a new file maps as zeros.
class SharedProgress {
 public:
  explicit SharedProgress(int descriptor);
  ~SharedProgress();
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;
  Progress& operator*() const { return *progress_; }
  Progress* operator->() const { return progress_; }

 private:
  Progress* progress_;
};

/// Sends a whole message; false if nobody reads any more.
bool send_message(int socket, const std::string& bytes);
/// Receives a whole message; nothing if the other side is gone.
std::optional<std::string> receive_message(int socket);

/// An anonymous file; writes go to its end.
Descriptor anonymous_file(const char* name);
/// The last `most` bytes of a file at most, with a note where something is left out.
std::string tail_of(int descriptor, std::size_t most);

}  // namespace gradproof::props
