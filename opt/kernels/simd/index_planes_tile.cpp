// Some planes of index_planes.h, compiled for every instruction set.
#include "opt/kernels/simd/index_planes.h"

#include <algorithm>

#include "opt/kernels/simd/scatter.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/simd/index_planes_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/simd/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/simd/added_terms-inl.h"
#include "opt/kernels/simd/sum_lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::index_planes::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;
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

/// Sums of a plane where they are to stand at last.
void SumInPlace(const Plan& plan, const IndexedPlane<float>& plane) {
  const std::int64_t n = plan.outputs;
  const std::int32_t* index = plane.indices;
  float* sums = plane.grad_input;
  Clear(sums, plan.volume);
  scatter_add(sums, index, plane.grad_output, n);
  // Sums of finite terms may become infinite, but not NaN.
  if (Greatest(plane.grad_output, n, kMagnitude) < kInfinity) return;
  for (std::int64_t i = 0; i < n; ++i) sums[index[i]] = one_nan(sums[index[i]]);
}

/// As many terms at a time as there is room to widen.
template <class Scalar>
void Add(const Scalar* grad, const std::int32_t* index, std::int64_t n, const Scratch& scratch) {
  const std::int64_t most = std::is_same_v<Scalar, float> ? n : kRun;
  for (std::int64_t first = 0; first < n; first += most) {
    add_terms(scratch.sums, index + first, grad + first, 1, std::min(most, n - first),
              scratch.terms);
  }
}

template <class Scalar>
std::int64_t WritePlanes(const Geometry& g, const Plan& plan, const Buffers& b, std::int64_t first,
                         std::int64_t count, const Scratch& scratch) {
  // As an unsigned word a negative index is beyond any plane.
  const auto volume = static_cast<std::uint32_t>(plan.volume);
  for (std::int64_t i = 0; i < count; ++i) {
    const IndexedPlane<Scalar> plane(g, b, first + i);
    if (Greatest(plane.indices, plan.outputs, ~0u) >= volume) {
      std::int64_t o = 0;
      while (static_cast<std::uint32_t>(plane.indices[o]) < volume) ++o;
      return i * plan.outputs + o;
    }
    if constexpr (std::is_same_v<Scalar, float>) {
      if (plan.in_place) {
        SumInPlace(plan, plane);
        continue;
      }
    }
    Add(plane.grad_output, plane.indices, plan.outputs, scratch);
    StoreSums(scratch.sums, plan.volume, plane.grad_input, plan.streaming);
  }
  end_streams(plan.streaming);
  return -1;
}

}  // namespace

#define GRADPROOF_INSTANCE(Name, Scalar)                                                       \
  std::int64_t Name(const Geometry& g, const Plan& plan, const Buffers& b, std::int64_t first, \
                    std::int64_t count, const Scratch& scratch) {                              \
    return WritePlanes<Scalar>(g, plan, b, first, count, scratch);                             \
  }
GRADPROOF_INSTANCE(WriteF32, float)
GRADPROOF_INSTANCE(WriteF16, Float16)
GRADPROOF_INSTANCE(WriteBF16, BFloat16)
#undef GRADPROOF_INSTANCE

}  // namespace gradproof::kernels::index_planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::index_planes {

#define GRADPROOF_CHOICE(Name, Scalar)                                                         \
  HWY_EXPORT(Name);                                                                            \
  template <>                                                                                  \
  std::int64_t write_planes<Scalar>(                                                           \
      const MaxPool3dBackwardGeometry& g, const Plan& plan, const MaxPool3dBackwardBuffers& b, \
      std::int64_t first, std::int64_t count, const Scratch& scratch, InstructionSet set) {    \
    return GRADPROOF_DISPATCH(Name, set)(g, plan, b, first, count, scratch);                   \
  }
GRADPROOF_CHOICE(WriteF32, float)
GRADPROOF_CHOICE(WriteF16, Float16)
GRADPROOF_CHOICE(WriteBF16, BFloat16)
#undef GRADPROOF_CHOICE

}  // namespace gradproof::kernels::index_planes
#endif  // HWY_ONCE
