// Window maxima of [n, c, d, h, w], one row of outputs at a time.
#include "opt/kernels/forward/window_max.h"

#include "opt/base/checked.h"
#include "opt/kernels/forward/first_max.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/pool_window.h"

namespace gradproof::kernels::window_max {
namespace {

using Geometry = MaxPool3dGeometry;

Span window_of(const Geometry& g, std::int64_t Axes3::*axis, std::int64_t out) {
  return g.adaptive ? adaptive_window(out, g.in.*axis, g.out.*axis)
                    : window(out, g.in.*axis, g.kernel.*axis, g.stride.*axis, g.padding.*axis);
}

template <class Scalar>
FirstMax<Scalar> max_of(const Geometry& g, const Scalar* self, Span d, Span h, Span w) {
  FirstMax<Scalar> max;
  for (std::int64_t id = d.first; id < d.last; ++id) {
    for (std::int64_t ih = h.first; ih < h.last; ++ih) {
      const Scalar* row = self + id * g.self.d + ih * g.self.h;
      const std::int64_t position = (id * g.in.h + ih) * g.in.w;
      for (std::int64_t iw = w.first; iw < w.last; ++iw) {
        max.consider(row[iw * g.self.w], position + iw);
      }
    }
  }
  return max;
}

template <class Scalar>
void run_as(const Geometry& g, const MaxPool3dBuffers& b, const Machine& on) {
  // Where there is nothing to do, the product of the extents that are not 0 may not even fit.
  if (g.n == 0) return;
  const std::int64_t rows = g.n * g.c * g.out.d * g.out.h;
  const std::int64_t inputs = g.in.d * g.in.h * g.in.w / (g.out.d * g.out.h);  // of a row, about
  const std::int64_t work = saturating_mul(4, saturating_add(inputs, g.out.w));
  parallel_rows(tile_rows(rows, work, on), [&](std::int64_t row, int) {
    const std::int64_t oh = row % g.out.h, od = row / g.out.h % g.out.d;
    const std::int64_t plane = row / g.out.h / g.out.d;
    const std::int64_t n = plane / g.c, c = plane % g.c;
    const Scalar* self = static_cast<const Scalar*>(b.self) + n * g.self.n + c * g.self.c;
    const Strides5 &r = g.result, &i = g.indices;
    Scalar* result = static_cast<Scalar*>(b.result) + n * r.n + c * r.c + od * r.d + oh * r.h;
    std::int32_t* indices = b.indices + n * i.n + c * i.c + od * i.d + oh * i.h;
    const Span d = window_of(g, &Axes3::d, od), h = window_of(g, &Axes3::h, oh);
    for (std::int64_t ow = 0; ow < g.out.w; ++ow) {
      const FirstMax<Scalar> max = max_of(g, self, d, h, window_of(g, &Axes3::w, ow));
      result[ow * r.w] = max.element();
      indices[ow * i.w] = static_cast<std::int32_t>(max.position());
    }
  });
}

}  // namespace

Outcome Plan::run(const MaxPool3dBuffers& b, std::byte*) const {
  visit_narrow(g.element, [&](auto type) { run_as<typename decltype(type)::type>(g, b, machine); });
  return {};
}

}  // namespace gradproof::kernels::window_max
