// Extents and strides in the kernels' axes.
#include "opt/ops/canonical.h"

#include <span>

namespace gradproof::ops {
namespace {

/// `values` with `lead` before them if they are one short.
template <std::size_t rank>
std::array<std::int64_t, rank> padded(std::span<const std::int64_t> values, std::int64_t lead) {
  std::array<std::int64_t, rank> all{lead};
  const std::size_t missing = rank - values.size();
  for (std::size_t i = 0; i < values.size(); ++i) all[missing + i] = values[i];
  return all;
}

template <std::size_t rank>
std::array<std::int64_t, rank> stepped(const TensorArgument& a) {
  const Tensor& t = *a.tensor;
  std::array<std::int64_t, rank> strides{};
  const std::size_t missing = rank - t.shape.size();
  std::int64_t dense = 1;
  for (std::size_t i = t.shape.size(); i-- > 0; dense *= t.shape[i]) {
    strides[missing + i] = t.shape[i] == 1 ? 0 : a.staged ? dense : t.strides[i];
  }
  return strides;
}

}  // namespace

std::array<std::int64_t, 4> extents4(const TensorArgument& a, const AxisOrder& order) {
  const auto e = padded<4>(a->shape, 1);
  return {e[order[0]], e[order[1]], e[order[2]], e[order[3]]};
}

std::array<std::int64_t, 5> extents5(const TensorArgument& a) { return padded<5>(a->shape, 1); }

kernels::Strides4 strides4(const TensorArgument& a, const AxisOrder& order) {
  const auto s = stepped<4>(a);
  return {s[order[0]], s[order[1]], s[order[2]], s[order[3]]};
}

kernels::Strides5 strides5(const TensorArgument& a) {
  const auto s = stepped<5>(a);
  return {s[0], s[1], s[2], s[3], s[4]};
}

}  // namespace gradproof::ops
