#include <gradproof/subject.hpp>
template <class T> void gradient(const gradproof::subject::UpsampleBilinear2dBackward<T>& c) {
  const auto source = [&](double i, int axis, double scale) {  // where position i of grad_out is in out
    const auto from = double(c.grad_out.shape[axis]), to = double(c.out.shape[axis]);
    const double r = c.align_corners ? (to - 1) / std::max(from - 1, 1.0) : scale > 0 ? 1 / scale : to / from;
    return std::min(c.align_corners ? r * i : std::max(0.0, r * (i + 0.5) - 0.5), to - 1); };
  gradproof::subject::Sums sums(c.out); for (auto [n, k, i, j] : c.grad_out.positions())
    for (auto [h, w] : gradproof::subject::Positions<2>{{2, 2}})  // the lower neighbours and the upper
      if (double y = source(i, 2, c.scale_h), x = source(j, 3, c.scale_w),
          weight = std::abs(1 - h - std::fmod(y, 1)) * std::abs(1 - w - std::fmod(x, 1)); weight != 0)
        sums(n, k, int64_t(y) + h, int64_t(x) + w) += weight * c.grad_out(n, k, i, j); }
GRADPROOF_KERNEL(upsample_bilinear2d_backward, gradient)
