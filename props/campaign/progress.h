// A live line on stderr, and the wish of the user to stop.
#pragma once

#include <chrono>
#include <string>

namespace gradproof::campaign {

/// From here on SIGINT and SIGTERM only set a flag; one that comes a second later or more ends the
/// process as usual.
void catch_interrupts();
bool interrupted();
/// The signal; 0 if there was none.
int interrupted_by();

/// "48 s", "12 min", "2 h 5 min".
std::string duration(double seconds);

/// Shows text in place, at most ten times a second, if stderr is a terminal or `always`; `never`
/// is the stronger.
class Progress {
 public:
  explicit Progress(bool always, bool never = false);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether enough time has passed for show() to be worth building its text.
  bool due() const;
  void show(const std::string& text);
  void clear();

 private:
  bool on_;
  std::size_t width_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace gradproof::campaign
