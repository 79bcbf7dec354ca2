// What a view spans.
#include "opt/ops/view.h"

#include "opt/base/checked.h"

namespace gradproof::ops {

Reach reach(const Tensor& t) {
  Reach sum;
  for (std::size_t i = 0; i < t.shape.size(); ++i) {
    const Wide far = multiply(t.shape[i] - 1, t.strides[i]);
    (far < 0 ? sum.low : sum.high) += far;
  }
  return sum;
}

bool contiguous(const Tensor& t) {
  std::int64_t expected = 1;
  for (std::size_t i = t.shape.size(); i-- > 0;) {
    if (t.shape[i] != 1 && t.strides[i] != expected) return false;
    // The product may overflow if another extent is 0. No stride is that large.
    // perhaps uncovered: two edits
    if (i > 0 && __builtin_mul_overflow(expected, t.shape[i], &expected)) return false;
  }
  return true;
}

bool within_storage(const Tensor& t) {
  for (const std::int64_t extent : t.storage) {
    if (extent < 0) return false;
  }
  const auto count = checked_product(t.storage);
  const Reach span = reach(t);
  return count && t.offset + span.low >= 0 && t.offset + span.high < *count;
}

}  // namespace gradproof::ops
