// What this process sends to stdout or stderr, kept in memory for a while.
#pragma once

#include <cstdio>
#include <string>

namespace gradproof::props {

class Capture {
 public:
  /// @param stream stdout or stderr
  explicit Capture(std::FILE* stream);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// Ends the capture; the first 64 KiB of what was sent.
  std::string text();

 private:
  void restore();

  std::FILE* const stream_;
  const int memory_;
  int before_ = -1;
};

}  // namespace gradproof::props
