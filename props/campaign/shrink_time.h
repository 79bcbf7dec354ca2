// How long a campaign's counterexamples may be shrunk.
//
// A library that is wrong in many ways must still be checked in all of them: the search for small
// cases has a share of the campaign's time, and no finding may take most of what is left of it.
#pragma once

#include <chrono>

#include "props/campaign/settings.h"

namespace gradproof::campaign {

using Deadline = std::chrono::steady_clock::time_point;

/// The time of one finding.
struct TimeOfOne {
  std::chrono::milliseconds search;  ///< for a small case; 0 if that is not worth while
  /// Attempts that only tell more of the finding begin before this: with a large case, one of them
  /// may take a second, and there may be a hundred.
  Deadline told;
};

class ShrinkTime {
 public:
  using Milliseconds = std::chrono::milliseconds;

  explicit ShrinkTime(const Settings& settings) : settings_(settings) {}

  /// How long the next search may take, `elapsed` seconds after the campaign's begin; 0 if it is
  /// not worth while.
  Milliseconds next(double elapsed, bool hangs) const;
  /// The same, and until when the finding may be told, if its search begins now.
  TimeOfOne next_from_now(double elapsed, bool hangs) const;
  /// That a search took so many seconds; the end of a hang is waited for beyond its limit.
  void spent(double seconds) { spent_ += seconds; }

 private:
  const Settings& settings_;
  double spent_ = 0;
};

}  // namespace gradproof::campaign
