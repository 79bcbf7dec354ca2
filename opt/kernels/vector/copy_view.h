// Copies contiguous planes into a view with other strides or back, bit for bit, at vector speed
// where the channels of the view are contiguous.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opt/kernels/geometry.h"
#include "opt/kernels/machine.h"

namespace gradproof::kernels {

/// Extents of a [n, c, d, h, w] tensor.
struct Extents5 {
  std::int64_t n = 1, c = 1;
  Axes3 plane;
};

/// One end of a copy.
template <class Byte>
struct End {
  Byte* data;
  Strides5 strides;
};

/// At one end at least, planes are contiguous.
/// @param bytes of an element: 2 or 4
/// @param stream past the caches, where a transposed block has whole lines
void copy_view(const Extents5& extents, int bytes, const End<const std::byte>& from,
               const End<std::byte>& to, bool stream, const Machine& machine);

namespace copying {

/// `channels` by `positions` elements, an axis of each end. At one end at least, positions are
/// contiguous.
struct Block {
  std::int64_t channels, positions;
  std::int64_t from_channel, from_position, to_channel, to_position;  ///< strides
  bool stream;
};
using CopyBlock = void (*)(const Block& block, int bytes, const std::byte* from, std::byte* to);
CopyBlock copy_block(InstructionSet set);

}  // namespace copying
}  // namespace gradproof::kernels
