// Adds the terms of a block.
#include "opt/kernels/mask_pool/scatter.h"

#include <bit>
#include <cstring>

#include "opt/base/checked.h"
#include "opt/kernels/mask_pool/tiles.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/vector/rows.h"

namespace gradproof::kernels::mask_pool::scatter {
namespace {

using Geometry = MaxPool2dBackwardGeometry;
using Buffers = MaxPool2dBackwardBuffers;

constexpr std::int64_t kBlock = 2048;  // positions: 16 channels of float sums make 128 KiB, for L2

/// Output positions o with first ≤ o·stride + offset < last, of `outs`.
Span outputs_reaching(Span target, std::int64_t stride, std::int64_t offset, std::int64_t outs) {
  const std::int64_t low = target.first - offset, high = target.last - 1 - offset;
  return {low <= 0 ? 0 : (low - 1) / stride + 1, high < 0 ? 0 : std::min(outs, high / stride + 1)};
}

/// Kernel positions that output o of an axis has inside `target`.
Span kernels_reaching(Span target, std::int64_t o, std::int64_t stride, std::int64_t padding,
                      std::int64_t kernel) {
  const std::int64_t start = o * stride - padding;
  return {std::max<std::int64_t>(target.first - start, 0), std::min(kernel, target.last - start)};
}

std::uint32_t load_word(const std::uint8_t* at) {
  return static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8;
}

/// Adds to the sums (one small plane of block.h·block.w a channel) what `channels` channels
/// starting at grad_output get in the block of rows h and columns w.
template <class Scalar>
void add_block(const Geometry& g, const Plan& plan, const Scalar* grad_output,
               const std::uint8_t* mask, std::int64_t group, std::int64_t channels, Span h, Span w,
               float* sums) {
  const std::int64_t channel_size = plan.block.h * plan.block.w;
  const std::uint32_t existing = (1u << channels) - 1;
  const Strides4& s = g.grad_output;
  // The last output reaches the block by its smallest kernel position, the first by its largest.
  const Span oh_range{outputs_reaching(h, g.stride.h, g.kernel.h - 1 - g.padding.h, g.out.h).first,
                      outputs_reaching(h, g.stride.h, -g.padding.h, g.out.h).last};
  const Span kw_range{kernels_reaching(w, g.out.w - 1, g.stride.w, g.padding.w, g.kernel.w).first,
                      kernels_reaching(w, 0, g.stride.w, g.padding.w, g.kernel.w).last};
  for (std::int64_t oh = oh_range.first; oh < oh_range.last; ++oh) {
    const Span kh_range = kernels_reaching(h, oh, g.stride.h, g.padding.h, g.kernel.h);
    for (std::int64_t kh = kh_range.first; kh < kh_range.last; ++kh) {
      float* sum_row = sums + (oh * g.stride.h - g.padding.h + kh - h.first) * plan.block.w;
      // Descending kw is ascending ow for every element, the order that the header promises.
      for (std::int64_t kw = kw_range.last - 1; kw >= kw_range.first; --kw) {
        const std::uint8_t* words = mask + plan.mask.at(group, kh * g.kernel.w + kw, oh * g.out.w);
        const Span ow_range = outputs_reaching(w, g.stride.w, kw - g.padding.w, g.out.w);
        for (std::int64_t ow = ow_range.first; ow < ow_range.last; ++ow) {
          std::uint32_t bits = load_word(words + 2 * ow) & existing;
          if (bits == 0) continue;
          float* sum = sum_row + (ow * g.stride.w - g.padding.w + kw - w.first);
          const Scalar* grad = grad_output + oh * s.h + ow * s.w;
          for (; bits != 0; bits &= bits - 1) {
            const int c = std::countr_zero(bits);
            sum[c * channel_size] += widen(grad[c * s.c]);
          }
        }
      }
    }
  }
}

}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : MaxPool2dBackwardPlan(geometry, on),
      mask(g.n == 0 ? MaskLayout(1, {}, {}) : MaskLayout(g.c, g.kernel, g.out)) {
  if (g.n == 0) return;  // and the other extents may be such that their product does not fit
  block.w = std::min(g.in.w, on.block(kBlock));
  block.h = std::min(g.in.h, on.block(kBlock) / block.w);
  blocks = {(g.in.h - 1) / block.h + 1, (g.in.w - 1) / block.w + 1};
  tiles = g.n * mask.groups * blocks.h * blocks.w;
  workers = worker_count(on, tiles, saturating_mul(2, g.n * g.c * g.in.h * g.in.w));
  const std::int64_t channels = std::min(g.c, MaskLayout::kChannels);
  sums = layout.take_slots(workers, static_cast<std::uint64_t>(channels * block.h * block.w),
                           sizeof(float));
}

template <class Scalar>
void Plan::run_as(const Buffers& b, std::byte* workspace) const {
  parallel_tiles(tiles, workers, [&](std::int64_t tile, int slot) {
    const std::int64_t in_plane = tile % (blocks.h * blocks.w);
    const std::int64_t group = tile / (blocks.h * blocks.w);
    const std::int64_t n = group / mask.groups;
    const std::int64_t c = group % mask.groups * MaskLayout::kChannels;
    const std::int64_t channels = std::min(MaskLayout::kChannels, g.c - c);
    const auto span = [](std::int64_t index, std::int64_t extent, std::int64_t in) {
      return Span{index * extent, std::min(in, (index + 1) * extent)};
    };
    const Span h = span(in_plane / blocks.w, block.h, g.in.h);
    const Span w = span(in_plane % blocks.w, block.w, g.in.w);
    float* const of_tile = sums.at<float>(workspace, slot);
    const std::int64_t channel_size = block.h * block.w;
    std::memset(of_tile, 0, static_cast<std::size_t>(channels * channel_size) * sizeof(float));
    add_block(g, *this,
              static_cast<const Scalar*>(b.grad_output) + n * g.grad_output.n + c * g.grad_output.c,
              b.mask, group, channels, h, w, of_tile);
    const Strides4& s = g.grad_input;
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      for (std::int64_t row = h.first; row < h.last; ++row) {
        Scalar* to = static_cast<Scalar*>(b.grad_input) + n * s.n + (c + channel) * s.c +
                     row * s.h + w.first * s.w;
        store_row(Row<Scalar>{to, w.last - w.first, s.w, 1},
                  of_tile + channel * channel_size + (row - h.first) * block.w);
      }
    }
  });
}

Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  visit_mask_scalar(g, [&](auto type) { run_as<typename decltype(type)::type>(b, workspace); });
  return {};
}

}  // namespace gradproof::kernels::mask_pool::scatter
