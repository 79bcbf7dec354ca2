// Boundary cases: valid cases, each mutated at the border of one rule.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

struct Mutation {
  std::string rule;      ///< rule id
  std::string argument;  ///< parameter that is changed
  std::string what;      ///< "kernelSize[1] = 0"
  bool breaks;           ///< true: just outside, the rule must be the first one broken;
                         ///< false: just inside, the call must stay valid
  Case mutated;
  static constexpr int kWhole = std::numeric_limits<int>::min();
  /// Where in the argument: the dimension or array element; the value that all tensors get (dtype,
  /// format, rank), an array's length, the slot of the tensor whose memory is shared; else kWhole.
  int at = kWhole;
};
/// All boundary cases that can be made of a valid case, on both sides of every border, for every
/// rule, argument, axis and array element that the rule speaks about.
std::vector<Mutation> mutations(const Case& valid);
/// The boundary cases of another valid case at the same border as `model` and from the same side;
/// at the same place in the argument where that has the place, else anywhere.
std::vector<Mutation> mutations_like(const Mutation& model, const Case& valid);

}  // namespace gradproof::props
