// Reads and writes the byte form of sequences.
#include "props/sequences/bytes.h"

#include <algorithm>

#include "props/cases/case.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/source.h"
#include "props/cases/hash.h"
#include "props/cases/traits.h"
#include "props/sequences/sequence.h"

namespace gradproof::props {

std::optional<Case> actor(const Actor& which) {
  const std::vector<CoveragePoint> among = coverage_points(operator_of_byte(which.op));
  SeededSource source(mix(which.number % kActorsOfAPoint));
  return generate_actor(source, among[which.point % among.size()]);
}

std::optional<Case> sequence_from_bytes(std::span<const std::uint8_t> bytes) {
  const auto at = [&](std::size_t i) { return i < bytes.size() ? bytes[i] : std::uint8_t{0}; };
  std::optional<Case> c = actor({at(0), static_cast<std::uint16_t>(at(1) | at(2) << 8), at(3)});
  if (!c) return c;
  for (std::size_t i = kActorBytes;
       i + kCommandBytes <= bytes.size() && c->sequence.size() < kLongestSequence;
       i += kCommandBytes) {
    std::array<std::uint8_t, Command::kOperands> operands;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(i + 1), operands.size(),
                operands.begin());
    c->sequence.push_back(command_of(bytes[i], operands));
  }
  return c;
}

std::vector<std::uint8_t> sequence_to_bytes(const Actor& which, std::span<const Command> sequence) {
  std::vector<std::uint8_t> bytes = {which.op, static_cast<std::uint8_t>(which.point),
                                     static_cast<std::uint8_t>(which.point >> 8), which.number};
  for (const Command& command : sequence) {
    bytes.push_back(static_cast<std::uint8_t>(command.action));
    bytes.insert(bytes.end(), command.with.begin(), command.with.end());
  }
  return bytes;
}

}  // namespace gradproof::props
