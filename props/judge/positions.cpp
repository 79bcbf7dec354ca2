// Positions out of INT32 indices and out of masks.
#include "props/judge/positions.h"

#include "props/cases/shapes.h"
#include "ref/element.h"
#include "ref/operators.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

/// The only bit of window p, as a position.
std::int64_t position(const ref::MaskLayout& mask, const ref::Dense& bits, const Window& h,
                      const Window& w, std::int64_t width, std::int64_t plane, std::int64_t p) {
  std::int64_t found = -1;
  for (std::int64_t k = 0; k < mask.kernel_h * mask.kernel_w; ++k) {
    const std::byte byte = bits.bytes[static_cast<std::size_t>(mask.byte(plane, k, p))];
    if ((byte >> mask.bit(plane) & std::byte{1}) == std::byte{0}) continue;
    const std::int64_t ih = p / width * h.stride - h.pad + k / mask.kernel_w,
                       iw = p % width * w.stride - w.pad + k % mask.kernel_w;
    if (found >= 0 || ih < 0 || ih >= h.in || iw < 0 || iw >= w.in) return -1;
    found = ih * w.in + iw;
  }
  return found;
}

}  // namespace

std::vector<std::int64_t> positions(const ref::Call& call, const ref::Dense& indices) {
  std::vector<std::int64_t> result;
  if (!has_mask(call.op)) {
    const auto count = static_cast<std::int64_t>(indices.bytes.size()) / 4;
    for (std::int64_t i = 0; i < count; ++i) {
      result.push_back(static_cast<std::int64_t>(ref::load(indices.bytes.data(), ref::kInt32, i)));
    }
    return result;
  }
  const std::vector<std::int64_t>& pooled = call.tensors[output_side(call.op)].shape;
  const ref::MaskLayout mask(call, pooled);
  const std::vector<Window> axes = windows(call);
  const std::int64_t planes = *element_count({pooled.begin(), pooled.end() - 2});
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    for (std::int64_t p = 0; p < mask.outputs; ++p) {
      result.push_back(position(mask, indices, axes[0], axes[1], pooled.back(), plane, p));
    }
  }
  return result;
}

}  // namespace gradproof::props
