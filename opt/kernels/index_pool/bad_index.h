// The first index of a 3-D pool's gradient that is outside the plane, found by many tiles.
#pragma once

#include <atomic>
#include <limits>

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"

namespace gradproof::kernels {

class FirstBadIndex {
 public:
  explicit FirstBadIndex(const MaxPool3dBackwardGeometry& g) : g_(g) {}

  /// Notes that output o of a plane has a bad index; o < 0 means that the plane has none.
  void found(std::int64_t plane, std::int64_t o) {
    if (o < 0) return;
    const std::int64_t position = plane * outputs() + o;
    std::int64_t seen = first_.load(std::memory_order_relaxed);
    // perhaps uncovered: race
    while (position < seen &&
           !first_.compare_exchange_weak(seen, position, std::memory_order_relaxed)) {
    }
  }

  Outcome outcome(const std::int32_t* indices) const {
    const std::int64_t position = first_.load();
    if (position == kNone) return {};
    const Strides5& s = g_.indices;
    const std::int64_t plane = position / outputs(), o = position % outputs();
    const std::int64_t at = plane / g_.c * s.n + plane % g_.c * s.c +
                            o / (g_.out.h * g_.out.w) * s.d + o / g_.out.w % g_.out.h * s.h +
                            o % g_.out.w * s.w;
    return {Outcome::End::bad_index, position, indices[at]};
  }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  /// Of a plane. Called only where there is a bad index: with empty extents the product may not
  /// fit.
  std::int64_t outputs() const { return g_.out.d * g_.out.h * g_.out.w; }

  const MaxPool3dBackwardGeometry& g_;
  std::atomic<std::int64_t> first_{kNone};
};

}  // namespace gradproof::kernels
