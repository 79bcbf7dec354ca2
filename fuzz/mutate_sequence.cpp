// Mutates a sequence: moves whole commands about, and changes single operands, so that records stay
// where they are. See mutate.h.
#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/mutate.h"
#include "props/cases/generate/draw.h"
#include "props/cases/generate/source.h"
#include "props/sequences/bytes.h"

extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                      std::size_t max_size);

namespace gradproof::fuzz {

std::size_t mutate_sequence(std::uint8_t* data, std::size_t size, std::size_t max_size,
                            unsigned int seed) {
  using props::kActorBytes, props::kCommandBytes;
  props::SeededSource source(seed);
  props::Draw draw(source);
  if (size < kActorBytes + kCommandBytes || draw.chance(1, 10))
    return LLVMFuzzerMutate(data, size, max_size);
  std::vector<std::uint8_t> bytes(data, data + size);
  const std::size_t commands = (size - kActorBytes) / kCommandBytes;
  const auto record = [&](std::size_t i) {
    return bytes.begin() + static_cast<std::ptrdiff_t>(kActorBytes + i * kCommandBytes);
  };
  const auto any = [&] { return static_cast<std::size_t>(draw.below(commands)); };
  const std::size_t i = any(), j = any();
  switch (draw.below(6)) {
    case 0: {  // a new command
      std::array<std::uint8_t, kCommandBytes> made;
      for (std::uint8_t& byte : made) byte = static_cast<std::uint8_t>(draw.below(256));
      bytes.insert(record(i), made.begin(), made.end());
      break;
    }
    case 1: {  // a command once more, elsewhere
      const std::vector<std::uint8_t> copied(record(j), record(j) + kCommandBytes);
      bytes.insert(record(i), copied.begin(), copied.end());
      break;
    }
    case 2:  // without some commands
      bytes.erase(record(std::min(i, j)), record(std::max(i, j)));
      break;
    case 3: std::swap_ranges(record(i), record(i) + kCommandBytes, record(j)); break;
    case 4:  // another operand, or another action
      record(i)[static_cast<std::ptrdiff_t>(draw.below(kCommandBytes))] =
          static_cast<std::uint8_t>(draw.below(256));
      break;
    default:  // another call
      bytes[draw.below(kActorBytes)] = static_cast<std::uint8_t>(draw.below(256));
  }
  const std::size_t length = std::min(bytes.size(), max_size);
  std::copy_n(bytes.begin(), length, data);
  return length;
}

}  // namespace gradproof::fuzz
