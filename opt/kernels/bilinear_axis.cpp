// Coordinates and weights of bilinear interpolation.
#include "opt/kernels/bilinear_axis.h"

#include <algorithm>

#include "opt/base/float_mode.h"

namespace gradproof::kernels {
namespace {

double ratio_of(std::int64_t in, std::int64_t out, bool align_corners, double scale) {
  const double small = static_cast<double>(in), large = static_cast<double>(out);
  if (align_corners) {
    return out > 1 ? static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0.0;
  }
  return scale > 0 ? 1.0 / scale : small / large;
}

}  // namespace

BilinearAxis::Tap BilinearAxis::tap(std::int64_t position) const {
  const double at = static_cast<double>(position);
  const double x = align_corners ? ratio * at : ratio * (at + 0.5) - 0.5;
  const double last = static_cast<double>(in - 1);
  // Comparisons so arranged that nothing but a value of [0, last] reaches the conversion.
  const double clamped = x < last ? (x > 0 ? x : 0.0) : last;
  Tap t;
  t.i0 = std::min(static_cast<std::int64_t>(clamped), in - 1);
  t.i1 = std::min(t.i0 + 1, in - 1);
  const double lambda1 = clamped - static_cast<double>(t.i0);
  t.w0 = static_cast<float>(1.0 - lambda1);
  t.w1 = static_cast<float>(lambda1);
  return t;
}

BilinearAxis bilinear_axis(std::int64_t in, std::int64_t out, bool align_corners, double scale) {
  // A pointer that the compiler cannot see through keeps the division inside the guard.
  double (*volatile ratio)(std::int64_t, std::int64_t, bool, double) = ratio_of;
  const FloatModeGuard mode;
  return {in, out, ratio(in, out, align_corners, scale), align_corners};
}

void BilinearGather::fill(const BilinearAxis& axis) const {
  std::int64_t first = 0, count = 0;
  for (std::int64_t i = 0; i < axis.in; ++i) {
    begin[i] = count;
    while (first < axis.out && axis.tap(first).i1 < i) ++first;
    for (std::int64_t o = first; o < axis.out; ++o) {
      const BilinearAxis::Tap t = axis.tap(o);
      if (t.i0 > i) break;
      const float w = t.i0 == i ? t.w0 : t.w1;
      if (w == 0) continue;
      position[count] = o;
      weight[count] = w;
      ++count;
    }
  }
  begin[axis.in] = count;
}

}  // namespace gradproof::kernels
