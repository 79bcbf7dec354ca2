// Gives the turn to the participant that has used least of its share.
#include "props/campaign/turns.h"

#include <algorithm>

namespace gradproof::campaign {

Turns::Turns(std::vector<double> weights) {
  for (const double weight : weights) participants_.push_back({weight, 0, true});
}

std::size_t Turns::next() const {
  const auto first = std::min_element(participants_.begin(), participants_.end(),
                                      [](const Participant& a, const Participant& b) {
                                        if (a.here != b.here) return a.here;
                                        return a.used / a.weight < b.used / b.weight;
                                      });
  return static_cast<std::size_t>(first - participants_.begin());
}

bool Turns::all_left() const {
  return std::none_of(participants_.begin(), participants_.end(),
                      [](const Participant& p) { return p.here; });
}

void Turns::use(std::size_t who, double amount) { participants_[who].used += amount; }

void Turns::leave(std::size_t who) { participants_[who].here = false; }

}  // namespace gradproof::campaign
