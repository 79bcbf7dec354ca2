// The table of columns that begin four positions apart.
#include "opt/kernels/upsample/quad_columns.h"

#include <algorithm>

namespace gradproof::kernels::upsample {

void QuadColumns::fill(const AxisTap* taps, std::int64_t positions) {
  terms = 0;
  // Calls visit(column, place, weight) for each term: it is position kStep · column + place.
  const auto for_each = [&](const auto& visit) {
    for (std::int64_t p = 0; p < positions; ++p) {
      const std::int64_t column = read_within(taps[p].i0, std::int64_t{0}, stride - 1);
      const float w0 = taps[p].w0, w1 = taps[p].w1;
      if (w0 != 0) visit(column, p - kStep * column, w0);
      if (w1 != 0 && column + 1 < stride) visit(column + 1, p - kStep * (column + 1), w1);
    }
  };
  std::int64_t least = INT64_MAX, most = INT64_MIN;
  for_each([&](std::int64_t, std::int64_t place, float) {
    least = std::min(least, place);
    most = std::max(most, place);
  });
  if (least > most || most - least >= kTerms) return;
  std::fill_n(weights, kTerms * stride, 0.0f);
  for_each([&](std::int64_t column, std::int64_t place, float weight) {
    // Another thread may overwrite the taps meanwhile.
    const std::int64_t term = std::clamp<std::int64_t>(place - least, 0, kTerms - 1);
    weights[term * stride + column] = weight;
  });
  offset = least;
  terms = most - least + 1;
}

}  // namespace gradproof::kernels::upsample
