// Bits and positions of one mask.
#include "props/subject/mask_positions.h"

#include "props/cases/shapes.h"
#include "ref/element.h"
#include "ref/operators.h"

namespace gradproof::props {
namespace {

/// Calls f(plane, p, first row and column of the window) for every output element in order.
template <class F>
void each_window(const ref::Call& call, const F& f) {
  const std::vector<std::int64_t>& pooled =
      call.tensors[static_cast<std::size_t>(output_side(call.op))].shape;
  const std::vector<Window> axes = windows(call);
  const std::int64_t width = pooled.back(), outputs = width * pooled[pooled.size() - 2];
  const std::int64_t planes = *element_count({pooled.begin(), pooled.end() - 2});
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    for (std::int64_t p = 0; p < outputs; ++p)
      f(plane, p, p / width * axes[0].stride - axes[0].pad,
        p % width * axes[1].stride - axes[1].pad);
  }
}

ref::MaskLayout layout(const ref::Call& call) {
  return {call, call.tensors[static_cast<std::size_t>(output_side(call.op))].shape};
}

}  // namespace

std::optional<ref::Dense> mask_to_positions(const ref::Call& call, const ref::Dense& mask) {
  const ref::MaskLayout at = layout(call);
  const std::vector<Window> axes = windows(call);
  ref::Dense result = mask;
  std::int64_t next = 0;
  bool sayable = true;
  each_window(call, [&](std::int64_t plane, std::int64_t p, std::int64_t h, std::int64_t w) {
    std::int64_t found = -1;
    for (std::int64_t k = 0; k < at.kernel_h * at.kernel_w; ++k) {
      const std::byte byte = mask.bytes[static_cast<std::size_t>(at.byte(plane, k, p))];
      if ((byte >> at.bit(plane) & std::byte{1}) == std::byte{0}) continue;
      const std::int64_t ih = h + k / at.kernel_w, iw = w + k % at.kernel_w;
      const bool inside = ih >= 0 && ih < axes[0].in && iw >= 0 && iw < axes[1].in;
      sayable = sayable && found < 0 && inside;
      found = ih * axes[1].in + iw;
    }
    sayable = sayable && found >= 0;
    if (sayable)
      ref::store(result.bytes.data(), ref::kInt32, next++, static_cast<long double>(found));
  });
  if (!sayable) return std::nullopt;
  return result;
}

ref::Dense positions_to_mask(const ref::Call& call, const ref::Dense& positions,
                             std::string& wrong) {
  const ref::MaskLayout at = layout(call);
  const std::vector<Window> axes = windows(call);
  ref::Dense mask = positions;
  mask.bytes.assign(positions.bytes.size(), std::byte{0});
  std::int64_t next = 0;
  each_window(call, [&](std::int64_t plane, std::int64_t p, std::int64_t h, std::int64_t w) {
    const auto position =
        static_cast<std::int64_t>(ref::load(positions.bytes.data(), ref::kInt32, next++));
    const std::int64_t kh = position / axes[1].in - h, kw = position % axes[1].in - w;
    if (position < 0 || position >= axes[0].in * axes[1].in || kh < 0 || kh >= at.kernel_h ||
        kw < 0 || kw >= at.kernel_w) {
      if (wrong.empty())
        wrong = "position " + std::to_string(position) + " of output element " +
                std::to_string(next - 1) + " is outside its window";
      return;
    }
    mask.bytes[static_cast<std::size_t>(at.byte(plane, kh * at.kernel_w + kw, p))] |=
        std::byte{1} << at.bit(plane);
  });
  return mask;
}

}  // namespace gradproof::props
