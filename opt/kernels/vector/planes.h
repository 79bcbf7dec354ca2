// The planes of a [n, c, h, w] tensor as row-wise kernels walk them.
//
// Usually a plane is one (n, c). Where the channels of both tensors are contiguous (channels last),
// a group of channels are the lanes of a plane's rows, so that memory is read and written in its
// own order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "opt/kernels/geometry.h"
#include "opt/kernels/vector/rows.h"

namespace gradproof::kernels {

class Planes {
 public:
  struct Plane {
    std::int64_t n, c;   ///< sample and first channel
    std::int64_t lanes;  ///< scalars of one position: channels of the group times components
  };

  /// @param components scalars of an element
  Planes(std::int64_t n, std::int64_t c, int components, const Strides4& a, const Strides4& b)
      : c_(c), components_(components) {
    const bool channel_last = a.c == 1 && b.c == 1 && !(a.w == 1 && b.w == 1);
    group_ = channel_last ? std::min<std::int64_t>(c, kMostLanes / components) : 1;
    groups_ = (c - 1) / group_ + 1;
    count_ = n * groups_;
  }

  std::int64_t count() const { return count_; }
  std::int64_t most_lanes() const { return group_ * components_; }
  Plane operator[](std::int64_t index) const {
    const std::int64_t c = index % groups_ * group_;
    return {index / groups_, c, std::min(group_, c_ - c) * components_};
  }
  /// Row h of a plane of the tensor at `data`, whose strides count elements; w positions long.
  template <class Scalar>
  Row<Scalar> row(Scalar* data, const Strides4& s, const Plane& p, std::int64_t h,
                  std::int64_t w) const {
    // The stride of an axis of extent 1 may be any number, and its multiples need not fit.
    const std::int64_t stride = w == 1 ? p.lanes : s.w * components_;
    return {data + (p.n * s.n + p.c * s.c + h * s.h) * components_, w, stride, p.lanes};
  }

  /// Enough to fill vectors, few enough for a row of sums to stay in the caches.
  static constexpr std::int64_t kMostLanes = 32;

 private:
  std::int64_t c_, components_, group_ = 1, groups_ = 0, count_ = 0;
};

}  // namespace gradproof::kernels
