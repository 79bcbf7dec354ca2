// Replaces failing cases by simpler ones.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/cases/case.h"
#include "props/cases/mutate/mutations.h"

namespace gradproof::campaign {

/// Where a boundary case comes from: a valid case, and one mutation of it or two.
struct Origin {
  props::Case valid;
  std::vector<props::Mutation> mutations;
};

/// Replaces the failing case by simpler ones for as long as the same kind of finding remains and
/// time is left. Of a boundary case, first the valid case it was made from is shrunk and edited in
/// the same way. `known` says of a failing candidate that it belongs to a finding that there is
/// already: it is left aside, as it may fail for another reason.
Failure shrink(Checker& checker, Failure failure, std::chrono::milliseconds limit,
               const std::optional<Origin>& origin = std::nullopt,
               const std::function<bool(const Failure&)>& known = nullptr);

}  // namespace gradproof::campaign
