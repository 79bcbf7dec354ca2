// The tables of disjoint columns.
#include "opt/kernels/upsample/disjoint_columns.h"

namespace gradproof::kernels::upsample {

bool DisjointColumns::disjoint(const AxisTap* taps, std::int64_t count) {
  for (std::int64_t p = 1; p < count; ++p) {
    if (taps[p].place() - taps[p - 1].place() < 2) return false;
  }
  return true;
}

void DisjointColumns::fill(const AxisTap* taps, std::int64_t positions, std::int64_t columns,
                           std::int64_t size) {
  usable = true;
  for (std::int64_t p = 0; p < positions; ++p) {
    low[p] = taps[p].w0;
    high[p] = taps[p].w1;
  }
  const std::int64_t scalars = kBytes / size;
  std::int64_t p = 0;
  for (std::int64_t j = 0; j < padded(columns); ++j) {
    while (p + 1 < positions && taps[p + 1].i0 <= j) ++p;
    const std::int64_t behind = j - taps[p].place(), at = 2 * p + (behind > 0 ? 1 : 0);
    Block& block = blocks[j / scalars];
    if (j % scalars == 0) block.start = at;
    const bool some = behind == 0 || (behind == 1 && taps[p].w1 != 0);
    std::uint8_t* shuffle = block.shuffle + j % scalars * size;
    for (std::int64_t b = 0; b < size; ++b) {
      shuffle[b] = some ? static_cast<std::uint8_t>((at - block.start) * size + b) : 0x80;
    }
  }
}

}  // namespace gradproof::kernels::upsample
