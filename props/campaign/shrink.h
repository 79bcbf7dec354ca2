// Replaces failing cases by simpler ones.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "props/campaign/checker.h"
#include "props/campaign/finding.h"
#include "props/cases/generator.h"

namespace gradproof::campaign {

/// Where an attacked case comes from: a valid case, and one attack on it or two.
struct Origin {
  props::Case valid;
  std::vector<props::Attack> attacks;
};

/// Replaces the failing case by simpler ones for as long as the same kind of finding remains and
/// time is left. Of a boundary case, first the valid case it was made from is shrunk and edited in
/// the same way.
Failure shrink(Checker& checker, Failure failure, std::chrono::milliseconds limit,
               const std::optional<Origin>& origin = std::nullopt);

}  // namespace gradproof::campaign
