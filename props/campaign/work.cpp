// Turns of properties.
#include "props/campaign/work.h"

#include <algorithm>

namespace gradproof::campaign {
namespace {

/// A property that is meant for every n-th case waits for so many seconds times n of checks of
/// others before its first turn, but not for ever: cheap properties see the first cases.
constexpr double kWait = 2e-2, kLongestWait = 2;
/// The same for a property of the library, divided by its share, where the checks of all operators
/// count: one that takes seconds, and has the least share, lets others find first what they can.
constexpr double kWaitOfLibrary = 1;

}  // namespace

bool PropertyTime::due(const props::Property& property) const {
  const auto spent = spent_.find(&property);
  if (spent == spent_.end())
    return property.every <= 1 ||
           sum_ >= (property.of_library ? kWaitOfLibrary / property.share
                                        : std::min(kWait * property.every, kLongestWait));
  return spent->second * static_cast<double>(spent_.size()) <= sum_ * property.share;
}

void PropertyTime::use(const props::Property& property, double seconds) {
  spent_[&property] += seconds;
  sum_ += seconds;
}

}  // namespace gradproof::campaign
