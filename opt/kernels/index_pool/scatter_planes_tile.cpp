// Some planes of scatter_planes.h, compiled for every instruction set.
#include "opt/kernels/index_pool/scatter_planes.h"

#include <algorithm>
#include <cstring>

#include "opt/kernels/vector/scatter.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/index_pool/scatter_planes_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/vector/add_terms-inl.h"
#include "opt/kernels/vector/sink-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::index_pool::scatter_planes::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;
using Words = hn::Rebind<std::uint32_t, Floats>;

constexpr std::uint32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;

/// A vector of n words and zeros. The vector has more lanes than n.
HWY_INLINE hn::Vec<Words> LoadFew(const std::uint32_t* from, std::int64_t n) {
  const Words d;
#if HWY_MEM_OPS_MIGHT_FAULT && HWY_TARGET != HWY_AVX2  // its masked loads of words never fault
  std::uint32_t words[kMostFloats] = {};
  for (std::int64_t i = 0; i < n; ++i) words[i] = read_once(from[i]);
  return hn::LoadU(d, words);
#else
  return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(n)), d, from);
#endif
}

/// Calls use(i, vector) for all of n words: the vector has those from number i on, and zeros after
/// the last word. Storing the last few one by one would stall loads of two that follow.
template <class Use>
HWY_INLINE void ForEachVector(const void* from, std::int64_t n, const Use& use) {
  const Words d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* words = static_cast<const std::uint32_t*>(from);
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) use(i, hn::LoadU(d, words + i));
  if (i < n) use(i, LoadFew(words + i, n - i));
}

HWY_INLINE bool AllLess(hn::Vec<Words> words, std::uint32_t bound) {
  const Words d;
  return hn::AllTrue(d, hn::Lt(words, hn::Set(d, bound)));
}

/// Whether all of n floats are finite.
bool AllFinite(const float* from, std::int64_t n) {
  const Words d;
  const auto magnitude = hn::Set(d, kMagnitude);
  auto greatest = hn::Zero(d);
  ForEachVector(from, n, [&](std::int64_t, hn::Vec<Words> some) HWY_ATTR {
    greatest = hn::Max(greatest, hn::And(magnitude, some));
  });
  return AllLess(greatest, kInfinity);
}

/// A copy of a run of indices. The index that was checked is the one that is followed, even while
/// another thread changes the tensor.
class Run {
 public:
  /// Whether all of the n indices are less than `volume`; as unsigned words, negative ones are not.
  bool read(const std::int32_t* from, std::int64_t n, std::uint32_t volume) {
    const Words d;
    auto greatest = hn::Zero(d);
    ForEachVector(from, n, [&](std::int64_t i, hn::Vec<Words> some) HWY_ATTR {
      no_second_read();  // as GCC does without it, for the check
      hn::StoreU(some, d, indices_ + i);
      greatest = hn::Max(greatest, some);
    });
    return AllLess(greatest, volume);
  }
  /// Where the first index that is not less than `volume` is. There is one.
  std::int64_t first_bad(std::uint32_t volume) const {
    std::int64_t i = 0;
    while (indices_[i] < volume) ++i;
    return i;
  }
  const std::uint32_t* indices() const { return indices_; }

 private:
  static_assert(kRun % kMostFloats == 0, "whole vectors are stored");
  std::uint32_t indices_[kRun];
};

/// Calls add(first, n, indices) for runs of `outputs` outputs of a plane, or of planes that follow
/// each other. Returns the first output whose index is outside its plane, before whose run it
/// stops, or -1.
template <class Scalar, class Add>
HWY_INLINE std::int64_t ForEachRun(const Plan& plan, const IndexedPlane<Scalar>& plane,
                                   std::int64_t outputs, const Add& add) {
  const auto volume = static_cast<std::uint32_t>(plan.volume);
  Run run;
  for (std::int64_t first = 0; first < outputs; first += kRun) {
    const std::int64_t n = std::min(kRun, outputs - first);
    if (!run.read(plane.indices + first, n, volume)) return first + run.first_bad(volume);
    add(first, n, run.indices());
  }
  return -1;
}

/// Sums of planes that follow each other, at their final place. All are cleared and checked at
/// once: of planes of a few outputs, each would take longer to begin than to sum.
std::int64_t SumInPlace(const Plan& plan, const IndexedPlane<float>& first_plane,
                        std::int64_t planes) {
  const std::int64_t volume = planes * plan.volume, outputs = planes * plan.outputs;
  const float* terms = first_plane.grad_output;
  clear_sums(first_plane.grad_input, volume);
  float* sums = first_plane.grad_input;
  std::int64_t rest = plan.outputs;  // of the plane at `sums`
  const std::int64_t bad =
      ForEachRun(plan, first_plane, outputs,
                 [&](std::int64_t first, std::int64_t n, const std::uint32_t* indices) HWY_ATTR {
                   for (const std::int64_t end = first + n; first < end;) {
                     const std::int64_t some = std::min(rest, end - first);
                     scatter_add(sums, indices, terms + first, some);
                     indices += some;
                     first += some;
                     if ((rest -= some) > 0) continue;
                     sums += plan.volume;
                     rest = plan.outputs;
                   }
                 });
  // Sums of finite terms may become infinite, but not NaN.
  if (bad >= 0 || AllFinite(terms, outputs)) return bad;
  for (std::int64_t i = 0; i < volume; ++i) {
    first_plane.grad_input[i] = one_nan(first_plane.grad_input[i]);
  }
  return -1;
}

/// Sums of a plane in scratch, from there to gradInput.
template <class Scalar>
std::int64_t SumInScratch(const Plan& plan, const IndexedPlane<Scalar>& plane,
                          const Scratch& scratch) {
  const std::int64_t bad =
      ForEachRun(plan, plane, plan.outputs,
                 [&](std::int64_t first, std::int64_t n, const std::uint32_t* indices) HWY_ATTR {
                   add_terms(scratch.sums, indices, plane.grad_output + first, 1, n, scratch.terms);
                 });
  if (bad >= 0) {
    clear_sums(scratch.sums, plan.volume);
  } else {
    take_sums(plane.grad_input, scratch.sums, static_cast<std::size_t>(plan.volume),
              plan.streaming);
  }
  return bad;
}

template <class Scalar>
std::int64_t SumPlanes(const Plan& plan, const IndexedPlane<Scalar>& first, std::int64_t planes,
                       const Scratch& scratch) {
  if constexpr (std::is_same_v<Scalar, float>) {
    if (plan.in_place) return SumInPlace(plan, first, planes);
  }
  return SumInScratch(plan, first, scratch);
}

template <class Scalar>
std::int64_t WritePlanes(const Geometry& g, const Plan& plan, const Buffers& b, std::int64_t first,
                         std::int64_t count, const Scratch& scratch) {
  const std::int64_t step = plan.together;
  std::int64_t bad = -1;
  for (std::int64_t i = 0; i < count && bad < 0; i += step) {
    bad =
        SumPlanes(plan, IndexedPlane<Scalar>(g, b, first + i), std::min(step, count - i), scratch);
    if (bad >= 0) bad += i * plan.outputs;
  }
  return bad;
}

}  // namespace

std::int64_t write_planes(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t first,
                          std::int64_t count, const Scratch& scratch) {
  return visit_narrow(plan.g.element, [&](auto type) HWY_ATTR {
    return WritePlanes<typename decltype(type)::type>(plan.g, plan, b, first, count, scratch);
  });
}

}  // namespace gradproof::kernels::index_pool::scatter_planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::index_pool::scatter_planes {
GRADPROOF_VARIANTS(write_planes);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_planes, set); }

}  // namespace gradproof::kernels::index_pool::scatter_planes
#endif  // HWY_ONCE
