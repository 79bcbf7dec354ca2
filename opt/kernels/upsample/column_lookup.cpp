// The tables of the lookup of columns.
#include "opt/kernels/upsample/column_lookup.h"

#include <algorithm>

namespace gradproof::kernels::upsample {

void ColumnLookup::fill(const AxisTap* taps, std::int64_t positions) {
  constexpr std::int32_t kNone = -1;
  terms = 0;
  if (positions > INT32_MAX) return;
  std::fill_n(first, stride, kNone);
  std::fill_n(weights, kTerms * stride, 0.0f);
  std::int64_t most = 1;
  for (std::int64_t p = 0; p < positions; ++p) {
    const float both[] = {taps[p].w0, taps[p].w1};
    for (std::int64_t k = 0; k < 2; ++k) {
      if (both[k] == 0) continue;
      const std::int64_t column = taps[p].i0 + k;
      if (first[column] == kNone) first[column] = static_cast<std::int32_t>(p);
      const std::int64_t term = p - first[column];
      if (term >= kTerms) return;
      weights[term * stride + column] = both[k];
      most = std::max(most, term + 1);
    }
  }
  std::int32_t before = 0;
  for (std::int64_t i = 0; i < stride; ++i) {
    if (first[i] == kNone) first[i] = before;
    before = first[i];
  }
  for (const std::int64_t lanes : {4, 8, 16}) {
    for (std::int64_t i = 0; i < stride; i += lanes) {
      if (first[i + lanes - 1] - first[i] >= 2 * lanes) return;
    }
  }
  terms = most;
}

}  // namespace gradproof::kernels::upsample
