// How long a campaign's counterexamples may be shrunk.
//
// A library that is wrong in many ways must still be checked in all of them: the search for small
// cases has a share of the campaign's time, and no finding may take most of what is left of it.
#pragma once

#include <chrono>

#include "props/campaign/settings.h"

namespace gradproof::campaign {

using Deadline = std::chrono::steady_clock::time_point;

/// Attempts that only add details to a finding begin before this: with a large case, one of them
/// may take a second, and there may be a hundred.
Deadline details_from_now();
bool is_over(Deadline deadline);

class ShrinkTime {
 public:
  using Milliseconds = std::chrono::milliseconds;

  explicit ShrinkTime(const Settings& settings) : settings_(settings) {}

  /// How long the next search may take, `elapsed` seconds after the campaign's begin; 0 if it is
  /// not worth while.
  Milliseconds next(double elapsed, bool hangs) const;
  /// That a finding took so many seconds: its search, which waits for the end of a hang, and its
  /// details.
  void spent(double seconds) { spent_ += seconds; }

 private:
  const Settings& settings_;
  double spent_ = 0;
};

}  // namespace gradproof::campaign
