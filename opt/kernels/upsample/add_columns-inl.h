// Sums of columns where vectors go across them: positions of a row with all their lanes, one after
// the other.
#include "hwy/highway.h"
#include "opt/kernels/upsample/axis_tap.h"
#include "opt/kernels/vector/convert-inl.h"

#if defined(GRADPROOF_KERNELS_UPSAMPLE_ADD_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_UPSAMPLE_ADD_COLUMNS_INL_H_
#undef GRADPROOF_KERNELS_UPSAMPLE_ADD_COLUMNS_INL_H_
#else
#define GRADPROOF_KERNELS_UPSAMPLE_ADD_COLUMNS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

/// Adds n ≥ 1 positions of x, `stride` floats apart, into the columns that they reach; `lanes`
/// floats each, rounded up to whole vectors. Column i is at columns + i · column_stride.
///
/// The two columns that a position reaches stay in registers until the positions have left them:
/// through memory, each addition would wait for the store of the one before it.
HWY_INLINE void add_columns(float* columns, std::int64_t column_stride, const float* x,
                            std::int64_t stride, const upsample::AxisTap* taps, std::int64_t n,
                            std::int64_t lanes) {
  const Floats d;
  for (std::int64_t l = 0; l < lanes; l += static_cast<std::int64_t>(hn::Lanes(d))) {
    const float* from = x + l;
    std::int64_t i = taps[0].i0;
    float* to = columns + i * column_stride + l;
    auto lower = hn::LoadU(d, to), upper = hn::LoadU(d, to + column_stride);
    for (std::int64_t p = 0; p < n; ++p, from += stride) {
      const upsample::AxisTap tap = taps[p];
      if (tap.i0 != i) {
        hn::StoreU(lower, d, to);
        if (tap.i0 == i + 1) {
          to += column_stride;
          lower = upper;
        } else {
          hn::StoreU(upper, d, to + column_stride);
          to = columns + tap.i0 * column_stride + l;
          lower = hn::LoadU(d, to);
        }
        upper = hn::LoadU(d, to + column_stride);
        i = tap.i0;
      }
      const auto value = hn::LoadU(d, from);
      if (tap.w0 != 0) lower = hn::Add(lower, hn::Mul(hn::Set(d, tap.w0), value));
      if (tap.w1 != 0) upper = hn::Add(upper, hn::Mul(hn::Set(d, tap.w1), value));
    }
    hn::StoreU(lower, d, to);
    hn::StoreU(upper, d, to + column_stride);
  }
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_UPSAMPLE_ADD_COLUMNS_INL_H_
