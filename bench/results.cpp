// Looks up what was measured.
#include "bench/results.h"

namespace gradproof::bench {

const Timing* Result::find(const std::string& name) const {
  for (const Timing& timing : timings) {
    if (timing.name == name && !timing.seconds.empty()) return &timing;
  }
  return nullptr;
}

const Timing* Result::find_right(const std::string& name) const {
  const Timing* timing = find(name);
  return timing != nullptr && !timing->wrong ? timing : nullptr;
}

std::optional<double> Result::ratio(const std::string& first, const std::string& second) const {
  const Timing *one = find(first), *other = find(second);
  if (one == nullptr || other == nullptr) return std::nullopt;
  return one->median() / other->median();
}

}  // namespace gradproof::bench
