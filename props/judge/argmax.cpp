// Whether the positions of a pool's forward hold what it returns.
#include "props/judge/argmax.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "props/cases/shapes.h"
#include "props/judge/positions.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

/// Whether position x of an axis lies in the window of output position o.
bool inside(const std::vector<Window>& axes, std::size_t axis, std::int64_t in, std::int64_t out,
            std::int64_t o, std::int64_t x) {
  if (axes.empty()) return x >= o * in / out && x < ((o + 1) * in + out - 1) / out;
  const std::int64_t start = o * axes[axis].stride - axes[axis].pad;
  return x >= start && x - start < axes[axis].kernel && x < in;
}

std::vector<long double> values_of(const ref::Dense& tensor) {
  const std::int32_t type = ref::component_type(tensor.dtype);
  std::vector<long double> values(tensor.bytes.size() /
                                  static_cast<std::size_t>(ref::dtype_size(type)));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = ref::load(tensor.bytes.data(), type, static_cast<std::int64_t>(i));
  return values;
}

std::int64_t plane_of(const ref::Call& call, int slot) {
  const std::size_t first = first_spatial(call);
  std::int64_t count = 1;
  for (int a = 0; a < spatial_axes(call.op); ++a)
    count *=
        call.tensors[static_cast<std::size_t>(slot)].shape[first + static_cast<std::size_t>(a)];
  return count;
}

/// Bits of a mask that belong to no window and no channel are 0, whichever maximum is chosen.
Verdict judge_rest(const ref::Dense& mask, std::size_t outputs) {
  std::size_t bits = 0;
  for (const std::byte byte : mask.bytes)
    bits += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned>(byte)));
  if (bits == outputs) return {};  // each window has one
  return Verdict::violated("position", "the mask has " + std::to_string(bits - outputs) +
                                           " bits beside those of its windows, expected 0");
}

}  // namespace

Verdict judge_positions(const ref::Call& call, const std::vector<ref::Dense>& data,
                        const std::vector<ref::Dense>& outputs) {
  const int in_slot = input_side(call.op).front(), out_slot = output_side(call.op);
  const std::vector<std::int64_t>&in = call.tensors[in_slot].shape,
        &out = call.tensors[out_slot].shape;
  const std::vector<long double> self = values_of(data[static_cast<std::size_t>(in_slot)]);
  const std::vector<long double> maxima = values_of(outputs[static_cast<std::size_t>(out_slot)]);
  if (maxima.empty()) return {};
  const std::vector<std::int64_t> at =
      positions(call, outputs[static_cast<std::size_t>(indices_slot(call.op))]);
  const std::int64_t plane = plane_of(call, in_slot), pooled = plane_of(call, out_slot);
  const std::vector<Window> axes = has_windows(call.op) ? windows(call) : std::vector<Window>{};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::string place =
        "window " + std::to_string(i) + " has its maximum at position " + std::to_string(at[i]);
    if (at[i] < 0 || at[i] >= plane)
      return Verdict::violated(
          "position",
          place + ", outside the plane (or its mask does not have exactly one bit set)");
    std::int64_t o = static_cast<std::int64_t>(i) % pooled, x = at[i];
    for (std::size_t axis = static_cast<std::size_t>(spatial_axes(call.op)); axis-- > 0;) {
      const std::size_t dim = first_spatial(call) + axis;
      if (!inside(axes, axis, in[dim], out[dim], o % out[dim], x % in[dim]))
        return Verdict::violated("position", place + ", outside the window");
      o /= out[dim];
      x /= in[dim];
    }
    const long double held =
        self[static_cast<std::size_t>(static_cast<std::int64_t>(i) / pooled * plane + at[i])];
    if (held == maxima[i] || (std::isnan(held) && std::isnan(maxima[i]))) continue;
    return Verdict::violated("position", place + ", whose value is not the one returned");
  }
  if (!has_mask(call.op)) return {};
  return judge_rest(outputs[static_cast<std::size_t>(indices_slot(call.op))], at.size());
}

}  // namespace gradproof::props
