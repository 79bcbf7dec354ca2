// What a campaign tells while it runs: counts for all jobs, the line of progress.
#include <algorithm>
#include <cstdio>

#include "props/campaign/campaign.h"
#include "props/cases/counted.h"

namespace gradproof::campaign {

void Campaign::tell() {
  const std::uint64_t cases = report_.cases(), boundary_cases = report_.boundary_cases();
  tally_.steps += steps_ - told_steps_;
  tally_.cases += cases - told_cases_;
  tally_.boundary_cases += boundary_cases - told_boundary_cases_;
  told_steps_ = steps_;
  told_cases_ = cases;
  told_boundary_cases_ = boundary_cases;
}

std::string Campaign::progress_line() const {
  const double seconds = elapsed();
  const auto steps = static_cast<double>(tally_.steps);
  const double left = settings_.cases == 0 ? settings_.seconds - seconds
                                           : (static_cast<double>(settings_.cases) - steps) *
                                                 seconds / std::max(steps, 1.0);
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.0f cases/s",
                static_cast<double>(tally_.cases) / std::max(seconds, 1e-3));
  return "verify: " + props::counted(tally_.cases, "case") + ", " +
         props::counted(tally_.boundary_cases, "boundary case") + ", " +
         duration(std::max(left, 0.0)) + " left, " + rate + ", " +
         props::counted(tally_.findings, "finding");
}

}  // namespace gradproof::campaign
