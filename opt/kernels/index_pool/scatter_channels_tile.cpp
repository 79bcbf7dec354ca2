// One tile of scatter_channels.h, compiled for every instruction set.
#include "opt/kernels/index_pool/scatter_channels.h"

#include <algorithm>
#include <bit>

#include "opt/kernels/read_once.h"
#include "opt/kernels/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/index_pool/scatter_channels_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/vector/sink-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::index_pool::scatter_channels::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;
using Words = hn::Rebind<std::uint32_t, Floats>;

constexpr int kShift = std::countr_zero(static_cast<std::uint64_t>(kChannels));
constexpr std::int64_t kAhead = 16;  // outputs that are prefetched

/// Where terms of one depth of outputs go. Flat positions of the plane are unsigned, so that
/// negative indices are beyond any of them.
struct Aim {
  std::uint32_t legal_first, legal_size;  ///< the windows; other indices are outside
  std::uint32_t own_first, own_size;      ///< the tile's positions
};

/// Adds the terms of all outputs of one depth. False if an index is outside its window.
template <class Scalar>
bool AddOutputs(const Geometry& g, const Aim& aim, const Scalar* grad_output,
                const std::int32_t* indices, float* HWY_RESTRICT sums) {
  const Floats d;
  const Words du;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(du));
  const Strides5 &s = g.grad_output, &t = g.indices;
  const auto legal_first = hn::Set(du, aim.legal_first), own_first = hn::Set(du, aim.own_first),
             own_size = hn::Set(du, aim.own_size);
  auto farthest = hn::Zero(du);
  std::uint32_t places[kChannels];
  float terms[kChannels];
  for (std::int64_t h = 0; h < g.out.h; ++h) {
    for (std::int64_t w = 0; w < g.out.w; ++w) {
      const std::int64_t next = w + kAhead < g.out.w ? h : std::min(h + 1, g.out.h - 1);
      const std::int64_t column = (w + kAhead) % g.out.w;
      const auto* index_ahead = indices + next * t.h + column * t.w;
      hwy::Prefetch(index_ahead);
      hwy::Prefetch(index_ahead + kChannels / 2);
      const Scalar* grad_ahead = grad_output + next * s.h + column * s.w;
      hwy::Prefetch(grad_ahead);
      if (sizeof(Scalar) == 4) hwy::Prefetch(grad_ahead + kChannels / 2);

      const auto* index = reinterpret_cast<const std::uint32_t*>(indices + h * t.h + w * t.w);
      const Scalar* grad = grad_output + h * s.h + w * s.w;
      for (std::int64_t c = 0; c < kChannels; c += lanes) {
        const auto at = hn::LoadU(du, index + c);
        farthest = hn::Max(farthest, hn::Sub(at, legal_first));
        // Terms of other tiles go to the dump slot, the position after the last one.
        const auto own = hn::Min(hn::Sub(at, own_first), own_size);
        const auto channel = hn::Iota(du, static_cast<std::uint32_t>(c));
        hn::StoreU(hn::Add(hn::ShiftLeft<kShift>(own), channel), du, places + c);
        hn::StoreU(widen_from(d, grad + c), d, terms + c);
      }
      keep(places);  // no_second_read after each vector would take 6 % of the time
      for (std::int64_t c = 0; c < kChannels; ++c) sums[places[c]] += terms[c];
    }
  }
  return hn::GetLane(hn::MaxOfLanes(du, farthest)) < aim.legal_size;
}

template <class Scalar>
bool WriteTile(const Geometry& g, const Plan& plan, const Buffers& b, std::int64_t tile,
               float* sums) {
  const std::int64_t c = tile % plan.groups * kChannels;
  const std::int64_t first = tile / plan.groups % plan.depths * plan.depth;
  const std::int64_t n = tile / plan.groups / plan.depths;
  const Span d{first, std::min(g.in.d, first + plan.depth)};
  const auto position = [&](std::int64_t slices) {
    return static_cast<std::uint32_t>(slices * plan.slice);
  };
  const Span outputs = plan.d.reaching(d);
  for (std::int64_t o = outputs.first; o < outputs.last; ++o) {
    const Span window = plan.d.window(o);
    const Aim aim{position(window.first), position(window.last - window.first), position(d.first),
                  position(d.last - d.first)};
    const Strides5 &s = g.grad_output, &t = g.indices;
    const Scalar* grad = static_cast<const Scalar*>(b.grad_output) + n * s.n + c + o * s.d;
    const std::int32_t* index = b.indices + n * t.n + c + o * t.d;
    if (!AddOutputs(g, aim, grad, index, sums)) return false;
  }
  const Strides5& s = g.grad_input;
  for (std::int64_t slice = d.first; slice < d.last; ++slice) {
    for (std::int64_t h = 0; h < g.in.h; ++h) {
      Scalar* row = static_cast<Scalar*>(b.grad_input) + n * s.n + c + slice * s.d + h * s.h;
      for (std::int64_t w = 0; w < g.in.w; ++w, sums += kChannels) {
        take_lines<kChannels>(row + w * s.w, sums, plan.streaming);
      }
    }
  }
  std::fill_n(sums, kChannels, 0.0f);  // the terms of other tiles: the next one may be longer
  end_streams(plan.streaming);
  return true;
}

}  // namespace

bool write_tile(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t tile,
                float* sums) {
  return visit_narrow(plan.g.element, [&](auto type) HWY_ATTR {
    return WriteTile<typename decltype(type)::type>(plan.g, plan, b, tile, sums);
  });
}

}  // namespace gradproof::kernels::index_pool::scatter_channels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::index_pool::scatter_channels {
GRADPROOF_VARIANTS(write_tile);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_tile, set); }

}  // namespace gradproof::kernels::index_pool::scatter_channels
#endif  // HWY_ONCE
