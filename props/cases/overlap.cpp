// Looks for elements of a view that share an address.
#include "props/cases/overlap.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "props/cases/wide.h"

namespace gradproof::props {

bool may_overlap(const ref::Tensor& t) {
  if (t.null_strides) return false;
  std::vector<std::pair<Wide, std::int64_t>> axes;
  for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
    const Wide stride = t.strides[axis];
    if (t.shape[axis] > 1) axes.emplace_back(stride < 0 ? -stride : stride, t.shape[axis]);
  }
  std::sort(axes.begin(), axes.end());
  Wide within = 0;
  for (const auto& [stride, extent] : axes) {
    if (stride <= within) return true;
    within += stride * (extent - 1);
  }
  return false;
}

}  // namespace gradproof::props
