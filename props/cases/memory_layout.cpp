// Lays the tensors of a call out in allocations.
#include "props/cases/memory_layout.h"

#include <algorithm>
#include <cstdlib>

#include "props/cases/wide.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 60;

std::int64_t saturate(Wide value) {
  if (value > kFar) return kFar;
  if (value < -static_cast<Wide>(kFar)) return -kFar;
  return static_cast<std::int64_t>(value);
}

/// Bytes from the data pointer to the end of whatever is larger: the storage or the view.
std::int64_t extent_bytes(const ref::Tensor& t) {
  std::int64_t storage = 1;
  for (std::int64_t dim : t.storage)
    storage = saturate(static_cast<Wide>(storage) * std::max<std::int64_t>(dim, 0));
  const std::vector<std::int64_t> strides =
      t.null_strides ? ref::contiguous_strides(t.shape) : t.strides;
  std::int64_t last = t.offset;
  bool empty = false;
  for (std::size_t axis = 0; axis < t.shape.size() && axis < strides.size(); ++axis) {
    empty = empty || t.shape[axis] <= 0;
    last = saturate(last + (static_cast<Wide>(t.shape[axis]) - 1) * strides[axis]);
  }
  const std::int64_t view = empty ? 0 : saturate(static_cast<Wide>(last) + 1);
  return saturate(static_cast<Wide>(std::max({storage, view, std::int64_t{0}})) *
                  std::max(ref::dtype_size(t.dtype), 1));
}

}  // namespace

ref::Access access_of(ref::Operator op, int slot) {
  for (const ref::Parameter& p : ref::signature(op).parameters) {
    if (p.kind == ref::Kind::tensor && p.slot == slot) return p.access;
  }
  std::abort();  // a slot that the operator does not have
}

std::string_view tensor_name(ref::Operator op, int slot) {
  for (const ref::Parameter& p : ref::signature(op).parameters) {
    if (p.kind == ref::Kind::tensor && p.slot == slot) return p.name;
  }
  std::abort();
}

Layout layout_of(const ref::Call& call) {
  const int count = static_cast<int>(call.tensors.size());
  Layout layout;
  layout.allocation.assign(call.tensors.size(), -1);
  layout.at.assign(call.tensors.size(), 0);
  std::vector<int> by_root(call.tensors.size(), -1);
  for (int slot = 0; slot < count; ++slot) {
    int root = slot;
    Wide sum = 0;  // cut at the end only: what goes too far one way must not seem near after all
    for (int steps = 0; steps < count; ++steps) {
      const ref::Tensor& t = call.tensors[root];
      if (t.shares < 0 || t.shares >= count || t.shares == root) break;
      sum += t.shares_at;
      root = t.shares;
    }
    const std::int64_t at = saturate(sum);
    if (by_root[root] < 0) {
      by_root[root] = static_cast<int>(layout.allocations.size());
      layout.allocations.push_back({root, 0, 0, {}});
    }
    Allocation& allocation = layout.allocations[by_root[root]];
    allocation.members.push_back(slot);
    allocation.low = std::min(allocation.low, at);
    const std::int64_t extent = extent_bytes(call.tensors[slot]);
    // What had to be saturated stays so, even if it begins before the root.
    const std::int64_t end = extent == kFar ? kFar : saturate(static_cast<Wide>(at) + extent);
    allocation.high = std::max(allocation.high, end);
    layout.allocation[slot] = by_root[root];
    layout.at[slot] = at;
  }
  return layout;
}

bool fits_address_space(const Layout& layout) {
  const auto saturated = [](std::int64_t bytes) { return bytes <= -kFar || bytes >= kFar; };
  for (const Allocation& a : layout.allocations) {
    if (saturated(a.low) || saturated(a.high)) return false;
  }
  return std::none_of(layout.at.begin(), layout.at.end(), saturated);
}

bool is_dense(const ref::Tensor& tensor) {
  if (tensor.null_strides) return true;
  const std::vector<std::int64_t> dense = ref::contiguous_strides(tensor.shape);
  for (std::size_t axis = 0; axis < dense.size(); ++axis) {
    if (tensor.shape[axis] > 1 && tensor.strides[axis] != dense[axis]) return false;
  }
  return true;
}

std::int64_t element_count(const ref::Tensor& tensor) {
  // An empty tensor's other extents may be anything.
  if (std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end()) return 0;
  std::int64_t count = 1;
  for (std::int64_t dim : tensor.shape) count *= dim;
  return count;
}

}  // namespace gradproof::props
