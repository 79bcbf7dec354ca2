// The maximum as pooling defines it: the first one in window order, and the first NaN before any
// number. The element itself is kept, so what is stored is the input's bit pattern.
#pragma once

#include "opt/kernels/scalar.h"

namespace gradproof::kernels {

template <class Scalar>
class FirstMax {
 public:
  void consider(const Scalar& x, std::int64_t position) {
    const float value = widen(x);
    // !(value <= best) holds for a greater value and for a NaN; nothing displaces a NaN.
    if (position_ < 0 || (best_ == best_ && !(value <= best_))) {
      best_ = value;
      element_ = x;
      position_ = position;
    }
  }
  const Scalar& element() const { return element_; }
  std::int64_t position() const { return position_; }

 private:
  float best_ = 0;
  Scalar element_{};
  std::int64_t position_ = -1;
};

}  // namespace gradproof::kernels
