// Sums of columns with vectors across them: a vector is one position of several rows or channels.
#include "hwy/highway.h"
#include "opt/kernels/read_once.h"
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
/// No column before `least` or after `most` + 1 is read or written.
///
/// The two columns that a position reaches stay in registers until the positions have left them:
/// through memory, each addition would wait for the store of the one before it.
HWY_INLINE void add_columns(float* columns, std::int64_t column_stride, const float* x,
                            std::int64_t stride, const upsample::AxisTap* taps, std::int64_t n,
                            std::int64_t lanes, std::int64_t least, std::int64_t most) {
  const Floats d;
  for (std::int64_t l = 0; l < lanes; l += static_cast<std::int64_t>(hn::Lanes(d))) {
    const float* from = x + l;
    std::int64_t i = read_within(taps[0].i0, least, most);
    float* to = columns + i * column_stride + l;
    auto lower = hn::LoadU(d, to), upper = hn::LoadU(d, to + column_stride);
    for (std::int64_t p = 0; p < n; ++p, from += stride) {
      const upsample::AxisTap& tap = taps[p];
      const std::int64_t i0 = read_within(tap.i0, least, most);
      if (i0 != i) {
        hn::StoreU(lower, d, to);
        if (i0 == i + 1) {
          to += column_stride;
          lower = upper;
        } else {
          hn::StoreU(upper, d, to + column_stride);
          to = columns + i0 * column_stride + l;
          lower = hn::LoadU(d, to);
        }
        upper = hn::LoadU(d, to + column_stride);
        i = i0;
      }
      const auto value = hn::LoadU(d, from);
      const float w0 = tap.w0, w1 = tap.w1;
      if (w0 != 0) lower = hn::Add(lower, hn::Mul(hn::Set(d, w0), value));
      if (w1 != 0) upper = hn::Add(upper, hn::Mul(hn::Set(d, w1), value));
    }
    hn::StoreU(lower, d, to);
    hn::StoreU(upper, d, to + column_stride);
  }
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_UPSAMPLE_ADD_COLUMNS_INL_H_
