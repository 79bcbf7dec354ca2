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
                           std::int64_t size, std::int64_t block) {
  usable = true;
  for (std::int64_t p = 0; p < positions; ++p) {
    low[p] = taps[p].w0;
    high[p] = taps[p].w1;
  }
  std::int64_t p = 0;
  for (std::int64_t at = 0; at < padded(columns * size); at += size) {
    const std::int64_t j = at / size;
    while (p + 1 < positions && taps[p + 1].i0 <= j) ++p;
    const std::int64_t behind = j - taps[p].place(), scalar = 2 * p + (behind > 0 ? 1 : 0);
    std::int64_t& start = starts[at / block];
    if (at % block == 0) start = scalar;
    const bool some = behind == 0 || (behind == 1 && taps[p].w1 != 0);
    const std::int64_t place = scalar - start;
    const std::int64_t number = some ? place : std::int64_t{0x80} << 8 * (size - 1);
    for (std::int64_t b = 0; b < size; ++b) {
      const std::int64_t byte = some ? place * size + b : 0x80;
      shuffle[at + b] = static_cast<std::uint8_t>(block == kLine ? number >> 8 * b : byte);
    }
  }
}

}  // namespace gradproof::kernels::upsample
