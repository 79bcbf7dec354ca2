// One plane of index_planes.h, compiled for every instruction set.
#include "opt/kernels/simd/index_planes.h"

#include <algorithm>

#include "opt/kernels/scalar.h"
#include "opt/kernels/simd/scatter.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/simd/index_planes_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/simd/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/simd/convert-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::index_planes::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Words = hn::Rebind<std::uint32_t, Floats>;

constexpr std::uint32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;

void Clear(float* to, std::int64_t n) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::Zero(d), d, to + i);
  for (; i < n; ++i) to[i] = 0.0f;
}

/// The greatest of `mask` & word.
std::uint32_t Greatest(const void* from, std::int64_t n, std::uint32_t mask) {
  const Words d;
  const auto* words = static_cast<const std::uint32_t*>(from);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto greatest = hn::Zero(d);
  const auto kept = hn::Set(d, mask);
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    greatest = hn::Max(greatest, hn::And(kept, hn::LoadU(d, words + i)));
  }
  std::uint32_t result = hn::GetLane(hn::MaxOfLanes(d, greatest));
  for (; i < n; ++i) result = std::max(result, words[i] & mask);
  return result;
}

std::int64_t WritePlane(const Extent& extent, const IndexedPlane<float>& plane) {
  const std::int64_t n = extent.outputs;
  const float* grad = plane.grad_output;
  const std::int32_t* index = plane.indices;
  float* sums = plane.grad_input;
  Clear(sums, extent.volume);
  // As an unsigned word a negative index is beyond any plane.
  const auto volume = static_cast<std::uint32_t>(extent.volume);
  if (Greatest(index, n, ~0u) >= volume) {
    std::int64_t o = 0;
    while (static_cast<std::uint32_t>(index[o]) < volume) ++o;
    return o;
  }
  scatter_add(sums, index, grad, n);
  // Sums of finite terms may become infinite, but not NaN.
  if (Greatest(grad, n, kMagnitude) >= kInfinity) {
    for (std::int64_t i = 0; i < n; ++i) sums[index[i]] = one_nan(sums[index[i]]);
  }
  return -1;
}

}  // namespace
}  // namespace gradproof::kernels::index_planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::index_planes {

HWY_EXPORT(WritePlane);
std::int64_t write_plane(const Extent& extent, const IndexedPlane<float>& plane,
                         InstructionSet set) {
  return GRADPROOF_DISPATCH(WritePlane, set)(extent, plane);
}

}  // namespace gradproof::kernels::index_planes
#endif  // HWY_ONCE
