// The tables of the lookup of columns.
#include "opt/kernels/upsample/column_lookup.h"

#include <algorithm>

#include "opt/kernels/read_once.h"

namespace gradproof::kernels::upsample {

/// Whether every vector of so many columns begins with fewer positions than that.
bool ColumnLookup::spans_less(std::int64_t lanes, std::int64_t positions) const {
  for (std::int64_t i = 0; i < stride; i += lanes) {
    // In 64 bits: another thread may overwrite the workspace meanwhile.
    if (std::int64_t{first[i + lanes - 1]} - first[i] >= positions) return false;
  }
  return true;
}

void ColumnLookup::fill(const AxisTap* taps, std::int64_t positions, bool may_be_wide) {
  constexpr std::int32_t kNone = -1;
  terms = 0;
  if (positions > INT32_MAX) return;  // uncovered: 2^31 columns
  std::fill_n(first, stride, kNone);
  std::fill_n(weights, kTerms * stride, 0.0f);
  std::int64_t most = 1;
  for (std::int64_t p = 0; p < positions; ++p) {
    const std::int64_t i0 = read_within(taps[p].i0, std::int64_t{0}, stride - 1);
    const float both[] = {taps[p].w0, taps[p].w1};
    for (std::int64_t k = 0; k < 2; ++k) {
      if (both[k] == 0) continue;
      const std::int64_t column = std::min(i0 + k, stride - 1);
      if (first[column] == kNone) first[column] = static_cast<std::int32_t>(p);
      const std::int64_t term = p - read_once(first[column]);
      if (term < 0 || term >= kTerms) return;
      weights[term * stride + column] = both[k];
      most = std::max(most, term + 1);
    }
  }
  std::int32_t before = 0;
  for (std::int64_t i = 0; i < stride; ++i) {
    if (first[i] == kNone) first[i] = before;
    before = first[i];
  }
  constexpr std::int64_t kWidest = 16;
  wide = most > kNarrow || !spans_less(4, 8) || !spans_less(8, 16) ||
         !spans_less(kWidest, 2 * kWidest);
  if (wide && !(may_be_wide && spans_less(kWidest, 4 * kWidest - (kTogether - 1)))) return;
  terms = most;
}

}  // namespace gradproof::kernels::upsample
