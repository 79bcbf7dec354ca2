// Deals the time for small counterexamples out.
#include "props/campaign/shrink_time.h"

#include <algorithm>

namespace gradproof::campaign {
namespace {

/// Of a campaign's time, for all findings; of what is left of that, for one. docs/grouping.md has
/// them too.
constexpr double kShare = 0.25, kShareOfOne = 0.25;
/// What a campaign by cases counts as at least, as nobody knows how long it will take.
constexpr double kUsualLength = 60;
/// For all findings of the shortest campaign, so that its one finding is readable.
constexpr double kLeast = 1;
/// Less than that is not enough for an attempt or two.
constexpr double kWorthwhile = 0.02;
/// A search that hangs takes the time of its attempts.
constexpr double kFactorOfHangs = 2.5;
/// For the details of a finding. Attempts with a small case take a tenth of that, all together; on
/// a busy machine, or with a kernel in Python, half of it.
constexpr std::chrono::seconds kDetails{2};

}  // namespace

Deadline details_from_now() { return Deadline::clock::now() + kDetails; }
bool is_over(Deadline deadline) { return Deadline::clock::now() >= deadline; }

ShrinkTime::Milliseconds ShrinkTime::next(double elapsed, bool hangs) const {
  double seconds = settings_.shrink_seconds * (hangs ? kFactorOfHangs : 1);
  if (settings_.max_failures != 1) {
    const double length = settings_.cases > 0 ? std::max(elapsed, kUsualLength) : settings_.seconds;
    const double left = std::max(kShare * length, kLeast) - spent_;
    seconds = std::min(seconds, kShareOfOne * left);
    if (settings_.cases == 0)
      seconds = std::min(seconds, std::max(settings_.seconds - elapsed, 0.2));
  }
  return Milliseconds(seconds < kWorthwhile ? 0 : static_cast<int>(seconds * 1000));
}

}  // namespace gradproof::campaign
