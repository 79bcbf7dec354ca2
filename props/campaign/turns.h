// Whose turn it is: of several that share something, the one that has used least of its share.
#pragma once

#include <cstddef>
#include <vector>

namespace gradproof::campaign {

/// What is shared is time, in seconds, or a number of cases: `used` counts either. Then shares
/// differ by one turn at most.
class Turns {
 public:
  /// One participant for each weight, which is above 0: who has twice the weight gets twice as
  /// much.
  explicit Turns(std::vector<double> weights);

  /// The first of those that have used least. There must be a participant that has not left.
  std::size_t next() const;
  bool all_left() const;
  void use(std::size_t who, double amount);
  /// Who leaves gets no more turns.
  void leave(std::size_t who);

 private:
  struct Participant {
    double weight = 1, used = 0;
    bool here = true;
  };
  std::vector<Participant> participants_;
};

}  // namespace gradproof::campaign
