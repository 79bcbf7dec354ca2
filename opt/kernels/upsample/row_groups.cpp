// The tables of groups of rows.
#include "opt/kernels/upsample/row_groups.h"

namespace gradproof::kernels::upsample {

void RowGroups::fill(std::int64_t in) const {
  std::int64_t h = 0;
  for (std::int64_t o = 0; o < rows; ++o) {
    const std::int64_t i0 = read_within(taps[o].i0, std::int64_t{0}, in - 1);
    while (h <= i0) begin[h++] = o;
  }
  while (h <= in) begin[h++] = rows;
  std::uint8_t count = 0;
  for (std::int64_t o = rows - 1; o >= 0; --o) {
    const auto same = [](const AxisTap& a, const AxisTap& b) {
      return a.i0 == b.i0 && (a.w0 != 0) == (b.w0 != 0) && (a.w1 != 0) == (b.w1 != 0);
    };
    if (count > 0 && !same(taps[o], taps[o + 1])) count = 0;
    if (count < kMost) ++count;
    together[o] = count;
  }
}

}  // namespace gradproof::kernels::upsample
