// A sequence and the call that it is about as a byte string, for fuzzers: a head, then one record a
// command, so that a changed byte is a changed operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// Which call the sequence is about: each number is taken modulo how many there are.
struct Actor {
  std::uint8_t op = 0;
  std::uint16_t point = 0;  ///< of the operator's points
  std::uint8_t number = 0;  ///< of the point's calls, of which there are `kActorsOfAPoint`
};
inline constexpr std::uint8_t kActorsOfAPoint = 4;
/// Bytes of the head, and of each record: action and operands.
inline constexpr std::size_t kActorBytes = 4, kCommandBytes = 1 + Command::kOperands;

/// The call, without a sequence; nothing if none that sequences can act on was drawn.
std::optional<Case> actor(const Actor& which);

/// Total but for that: what is missing reads as zeros, a record that is cut off is left out, and so
/// is everything beyond the longest sequence.
std::optional<Case> sequence_from_bytes(std::span<const std::uint8_t> bytes);
std::vector<std::uint8_t> sequence_to_bytes(const Actor& which, std::span<const Command> sequence);

}  // namespace gradproof::props
