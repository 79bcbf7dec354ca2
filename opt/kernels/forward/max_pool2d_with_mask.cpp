// MaxPool2dWithMask: window maxima of [n, c, h, w] and the bit mask of their positions.
#include <cstring>

#include "opt/base/checked.h"
#include "opt/kernels/forward/first_max.h"
#include "opt/kernels/forward/forward.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/pool_window.h"

namespace gradproof::kernels {
namespace {

using Buffers = MaxPool2dBuffers;

struct WindowsPlan final : MaxPool2dPlan {
  using MaxPool2dPlan::MaxPool2dPlan;
  Outcome run(const Buffers& b, std::byte* workspace) const override;

 private:
  template <class Scalar>
  void run_as(const Buffers& b) const;
};

/// A mask has at least the words of one plane.
void clear(std::uint8_t* mask, std::int64_t bytes, const Machine& on) {
  constexpr std::int64_t kPiece = 1 << 20;
  const std::int64_t pieces = (bytes - 1) / kPiece + 1;
  const int workers = worker_count(on, pieces, bytes / 16);
  parallel_tiles(pieces, workers, [&](std::int64_t piece, int) {
    const std::int64_t first = piece * kPiece;
    std::memset(mask + first, 0, static_cast<std::size_t>(std::min(kPiece, bytes - first)));
  });
}

template <class Scalar>
void WindowsPlan::run_as(const Buffers& b) const {
  clear(b.mask, g.mask_bytes, machine);
  // A row of outputs of 16 channels: the mask words that belong to it belong to no other.
  const MaskLayout mask(g.c, g.kernel, g.out);
  const std::int64_t inputs = saturating_mul(g.in.w, g.in.h / g.out.h + 1);  // of a row, about
  const std::int64_t work = saturating_mul(4 * std::min(g.c, MaskLayout::kChannels), inputs);
  const RowTiling tiling = tile_rows(g.n * mask.groups * g.out.h, work, machine);
  parallel_rows(tiling, [&](std::int64_t row, int) {
    const std::int64_t oh = row % g.out.h, group = row / g.out.h;
    const std::int64_t n = group / mask.groups;
    const std::int64_t first_c = group % mask.groups * MaskLayout::kChannels;
    const std::int64_t start_h = oh * g.stride.h - g.padding.h;
    const Span h = window(oh, g.in.h, g.kernel.h, g.stride.h, g.padding.h);
    for (std::int64_t c = first_c; c < std::min(g.c, first_c + MaskLayout::kChannels); ++c) {
      const Scalar* self = static_cast<const Scalar*>(b.self) + n * g.self.n + c * g.self.c;
      Scalar* result =
          static_cast<Scalar*>(b.result) + n * g.result.n + c * g.result.c + oh * g.result.h;
      for (std::int64_t ow = 0; ow < g.out.w; ++ow) {
        const std::int64_t start_w = ow * g.stride.w - g.padding.w;
        const Span w = window(ow, g.in.w, g.kernel.w, g.stride.w, g.padding.w);
        FirstMax<Scalar> max;
        for (std::int64_t ih = h.first; ih < h.last; ++ih) {
          for (std::int64_t iw = w.first; iw < w.last; ++iw) {
            max.consider(self[ih * g.self.h + iw * g.self.w],
                         (ih - start_h) * g.kernel.w + (iw - start_w));
          }
        }
        result[ow * g.result.w] = max.element();
        const std::int64_t bit = c - first_c;
        std::uint8_t& byte = b.mask[mask.at(group, max.position(), oh * g.out.w + ow) + bit / 8];
        byte = static_cast<std::uint8_t>(byte | 1u << bit % 8);
      }
    }
  });
}

Outcome WindowsPlan::run(const Buffers& b, std::byte*) const {
  if (g.n == 0) return {};  // and the other extents may be such that their product does not fit
  visit_narrow(g.element, [&](auto type) { run_as<typename decltype(type)::type>(b); });
  return {};
}

constexpr MaxPool2dKernel kTable[] = {
    {"windows", all_geometries, where_supported, make_plan<WindowsPlan>},
};

}  // namespace

std::span<const MaxPool2dKernel> max_pool2d_with_mask() { return kTable; }

}  // namespace gradproof::kernels
