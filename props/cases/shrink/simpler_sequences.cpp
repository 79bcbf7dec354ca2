// Simpler sequences for the shrinker.
#include "props/cases/shrink/simpler_sequences.h"

namespace gradproof::props {

std::vector<std::vector<Command>> simpler_sequences(const std::vector<Command>& sequence) {
  std::vector<std::vector<Command>> found;
  for (std::size_t length = sequence.size(); length > 0; length /= 2) {
    for (std::size_t at = 0; at + length <= sequence.size(); at += length) {
      if (length == sequence.size()) continue;  // a sequence of nothing fails at nothing
      std::vector<Command> shorter = sequence;
      const auto begin = shorter.begin() + static_cast<std::ptrdiff_t>(at);
      shorter.erase(begin, begin + static_cast<std::ptrdiff_t>(length));
      found.push_back(std::move(shorter));
    }
  }
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    for (std::size_t k = 0; k < operand_sizes(sequence[i].action).size(); ++k) {
      if (sequence[i].with[k] == 0) continue;
      std::vector<Command> plainer = sequence;
      plainer[i].with[k] = 0;
      found.push_back(std::move(plainer));
    }
  }
  return found;
}

}  // namespace gradproof::props
