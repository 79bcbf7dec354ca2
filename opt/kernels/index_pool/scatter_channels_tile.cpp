// One tile of scatter_channels.h, compiled for every instruction set.
#include "opt/kernels/index_pool/scatter_channels.h"

#include <algorithm>
#include <bit>

#include "opt/kernels/prefetch.h"
#include "opt/kernels/read_once.h"
#include "opt/kernels/scalar.h"
#include "opt/kernels/vector/scatter.h"

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

constexpr std::int64_t kAhead = 16;  // outputs that are prefetched

/// Where terms of one depth of outputs go.
struct Aim {
  /// The tile's positions in the plane. Unsigned, so that negative indices are beyond any of them.
  std::uint32_t first, size;
  Span rows;  ///< of outputs
};

/// Adds those terms of one depth of outputs that belong to the tile. Returns how many there were.
template <std::int64_t channels, class Scalar>
std::int64_t AddOutputs(const Geometry& g, const Aim& aim, const Scalar* grad_output,
                        const std::int32_t* indices, float* HWY_RESTRICT sums) {
  const Floats d;
  const Words du;
  constexpr int shift = std::countr_zero(static_cast<std::uint64_t>(channels));
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(du));
  const Strides5 &s = g.grad_output, &t = g.indices;
  const auto first = hn::Set(du, aim.first), size = hn::Set(du, aim.size);
  auto others = hn::Zero(du);  // terms of other tiles, counted in each lane
  std::uint32_t places[channels];
  float terms[channels];
  for (std::int64_t h = aim.rows.first; h < aim.rows.last; ++h) {
    for (std::int64_t w = 0; w < g.out.w; ++w) {
      const std::int64_t next = w + kAhead < g.out.w ? h : std::min(h + 1, aim.rows.last - 1);
      const std::int64_t column = (w + kAhead) % g.out.w;
      const auto* index_ahead = indices + next * t.h + column * t.w;
      prefetch(index_ahead);
      if (channels > kFewChannels) prefetch(index_ahead + kFewChannels);
      const Scalar* grad_ahead = grad_output + next * s.h + column * s.w;
      prefetch(grad_ahead);
      if (sizeof(Scalar) * channels > kLine) prefetch(grad_ahead + kFewChannels);

      const auto* index = reinterpret_cast<const std::uint32_t*>(indices + h * t.h + w * t.w);
      const Scalar* grad = grad_output + h * s.h + w * s.w;
      for (std::int64_t c = 0; c < channels; c += lanes) {
        // Terms of other tiles go to the dump slot, the position after the last one.
        const auto own = hn::Min(hn::Sub(hn::LoadU(du, index + c), first), size);
        others = hn::Sub(others, hn::VecFromMask(du, hn::Eq(own, size)));
        const auto channel = hn::Iota(du, static_cast<std::uint32_t>(c));
        hn::StoreU(hn::Add(hn::ShiftLeft<shift>(own), channel), du, places + c);
        hn::StoreU(widen_from(d, grad + c), d, terms + c);
      }
      keep(places);  // no_second_read after each vector would take 6 % of the time
      scatter_add(sums, places, terms, channels);
    }
  }
  std::int64_t added = (aim.rows.last - aim.rows.first) * g.out.w * channels;
  std::uint32_t counted[kMostFloats];
  hn::StoreU(others, du, counted);
  for (std::int64_t lane = 0; lane < lanes; ++lane) added -= counted[lane];
  return added;
}

template <std::int64_t channels, class Scalar>
std::int64_t WriteTile(const Geometry& g, const Plan& plan, const Buffers& b, std::int64_t tile,
                       float* sums) {
  const std::int64_t c = tile % plan.groups * kChannels;
  tile /= plan.groups;
  const std::int64_t top = tile % plan.bands * plan.rows;
  tile /= plan.bands;
  const std::int64_t front = tile % plan.depths * plan.depth, n = tile / plan.depths;
  const Span d{front, std::min(g.in.d, front + plan.depth)},
      h{top, std::min(g.in.h, top + plan.rows)};
  const Aim aim{static_cast<std::uint32_t>((d.first * g.in.h + h.first) * g.in.w),
                static_cast<std::uint32_t>((d.last - d.first) * (h.last - h.first) * g.in.w),
                plan.h.reaching(h)};
  const Span outputs = plan.d.reaching(d);
  std::int64_t added = 0;
  for (std::int64_t o = outputs.first; o < outputs.last; ++o) {
    const Strides5 &s = g.grad_output, &t = g.indices;
    const Scalar* grad = static_cast<const Scalar*>(b.grad_output) + n * s.n + c + o * s.d;
    const std::int32_t* index = b.indices + n * t.n + c + o * t.d;
    added += AddOutputs<channels>(g, aim, grad, index, sums);
  }
  const Strides5& s = g.grad_input;
  for (std::int64_t slice = d.first; slice < d.last; ++slice) {
    for (std::int64_t y = h.first; y < h.last; ++y) {
      Scalar* row = static_cast<Scalar*>(b.grad_input) + n * s.n + c + slice * s.d + y * s.h;
      if (s.w == channels) {  // all of them: positions of half a line fill lines together
        take_sums(row, sums, static_cast<std::size_t>(g.in.w * channels), plan.streaming);
      } else {
        for (std::int64_t w = 0; w < g.in.w; ++w)
          take_lines<channels>(row + w * s.w, sums + w * channels, plan.streaming);
      }
      sums += g.in.w * channels;
    }
  }
  std::fill_n(sums, channels, 0.0f);  // the terms of other tiles: the next one may be longer
  return added;
}

}  // namespace

std::int64_t write_tile(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t tile,
                        float* sums) {
  const bool whole = plan.g.c - tile % plan.groups * kChannels >= kChannels;
  return visit_narrow(plan.g.element, [&](auto type) HWY_ATTR {
    using Scalar = typename decltype(type)::type;
    return whole ? WriteTile<kChannels, Scalar>(plan.g, plan, b, tile, sums)
                 : WriteTile<kFewChannels, Scalar>(plan.g, plan, b, tile, sums);
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
