// Boundary cases of dimensions: each extent's border, byte counts, index ranges.
#include "props/cases/mutate/edits.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

using ref::Call;
using ref::Tensor;

/// Whether a zero in that dimension alone, everything else as it is, is refused by **dim-value**.
bool zero_is_refused(const Call& c, int slot, std::size_t axis) {
  const FamilyTraits& f = family(c.op);
  const int rank = static_cast<int>(c.tensors[slot].shape.size()), at = static_cast<int>(axis);
  if (!f.empty_output) return !f.may_be_empty(rank, at);
  return slot == ref::slot(c.op, "self") && at + f.axes >= rank &&
         !is_empty(c.tensors[output_side(c.op)]);
}

void mutate_byte_count(Mutator& a) {
  if (any_empty(a.call())) return;
  std::int64_t largest = 0;  // bytes of one step of the first axis
  for (const Tensor& t : a.call().tensors) {
    largest = std::max(largest, *element_count(t.shape) / t.shape[0] * ref::dtype_size(t.dtype));
  }
  for (bool over : {false, true}) {
    const std::int64_t extent = kInt64Max / largest + (over ? 1 : 0);
    a.add("dim-value", "all tensors", "shape[0] = " + std::to_string(extent), over, [&](Call& c) {
      for (Tensor& t : c.tensors) {
        std::vector<std::int64_t> shape = t.shape;
        shape[0] = extent;
        reshape(t, shape);
      }
      if (has_parameter(c.op, "inputSize")) ref::int_array(c, "inputSize").values[0] = extent;
      forget_data(c);
    });
  }
}

/// An empty batch with another extent that is too large to allocate by. Where indices are
/// positions, the extents of a plane are limited, and only channels can be so many.
void mutate_empty_batch(Mutator& a) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 44;
  const std::size_t rank = input_shape(a.call()).size(), first = first_spatial(a.call());
  if (!family(a.op()).may_be_empty(static_cast<int>(rank), 0)) return;
  for (std::size_t axis = 1; axis < rank; ++axis) {
    if (axis >= first && family(a.op()).has_positions()) break;
    a.add("dim-value", "all tensors",
          "shape[0] = 0, shape[" + std::to_string(axis) + "] = " + std::to_string(kHuge), false,
          [&](Call& c) { return set_lead(c, 0, 0) && set_lead(c, axis, kHuge); });
  }
}

void mutate_index_range(Mutator& a) {
  if (!family(a.op()).has_positions()) return;
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  constexpr std::int64_t kPlanes[][3] = {{1, 1, kMost},
                                         {kMost, 1, 1},
                                         {1, 1, kMost + 1},
                                         {2, 32768, 32768},
                                         {1 << 20, 1 << 20, 1 << 19},
                                         {kHuge, kHuge, 1}};
  for (const auto& plane : kPlanes) {
    // More positions than int64 counts have only planes of which there are none.
    const std::int64_t planes = plane[1] == kHuge ? 0 : 1;
    if (planes == 0 && !can_be_empty(a.op())) continue;
    const bool over = planes == 0 || plane[0] * plane[1] * plane[2] > kMost;
    const std::vector<std::int64_t> spatial(plane, plane + 3);
    a.add("index-range", "self",
          "D·H·W = " + std::to_string(plane[0]) + "·" + std::to_string(plane[1]) + "·" +
              std::to_string(plane[2]),
          over, [&](Call& c) {
            std::vector<std::int64_t> in(input_shape(c).size() - 3, 1), out(in.size() + 3, 1);
            in.front() = out.front() = planes;
            in.insert(in.end(), spatial.begin(), spatial.end());
            set_inputs(c, in);
            if (has_windows(c.op)) {
              ref::int_array(c, "kernelSize").values = {1};
              ref::int_array(c, "stride").values = {kInt64Max};
              ref::int_array(c, "padding").values = {0};
            } else {
              reshape(c.tensors[output_side(c.op)], out);
              if (has_parameter(c.op, "outputSize"))
                ref::int_array(c, "outputSize").values = {1, 1, 1};
            }
            forget_data(c);
            return conform(c);
          });
  }
}

}  // namespace

void mutate_dims(Mutator& a) {
  for (const ref::Parameter& p : ref::signature(a.op()).parameters) {
    if (p.kind != ref::Kind::tensor) continue;
    const Tensor& t = a.call().tensors[p.slot];
    const auto edit = [&](const std::string& what, const auto& change) {
      a.add("dim-value", p.name, std::string(p.name) + " " + what, true, [&](Call& c) {
        std::vector<std::int64_t> shape = t.shape;
        change(shape);
        reshape(c.tensors[p.slot], shape);
      });
    };
    if (zero_is_refused(a.call(), p.slot, 0) || zero_is_refused(a.call(), p.slot, 1))
      edit("shape[0] = shape[1] = 0", [](auto& shape) { shape[0] = shape[1] = 0; });
    // An empty batch may be accepted, and an empty batch of images without rows refused.
    for (std::size_t axis = first_spatial(a.call()); axis < t.shape.size(); ++axis) {
      if (axis > 1 && zero_is_refused(a.call(), p.slot, axis))
        edit(element_is("shape", 0, 0) + ", " + element_is("shape", axis, 0),
             [axis](auto& shape) { shape[0] = shape[axis] = 0; });
    }
    for (std::size_t axis = 0; axis < t.shape.size(); ++axis) {
      const auto set = [&](std::int64_t extent) {
        edit(element_is("shape", axis, extent), [&](auto& shape) { shape[axis] = extent; });
      };
      set(kInt64Min);
      const bool zero = zero_is_refused(a.call(), p.slot, axis);
      if (zero) set(-1);
      {
        const Mutator::At border(a, axis);
        set(zero ? 0 : -1);
      }
      if (is_empty(t)) continue;
      if (*element_count(t.shape) / t.shape[axis] * ref::dtype_size(t.dtype) > 1) set(kInt64Max);
    }
  }
  const std::size_t rank = input_shape(a.call()).size();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const bool may_be_empty =
        family(a.op()).may_be_empty(static_cast<int>(rank), static_cast<int>(axis));
    const std::int64_t least = may_be_empty ? 0 : 1;
    const bool resized =
        axis >= first_spatial(a.call()) && axis < first_spatial(a.call()) + spatial_axes(a.op());
    if (resized && family(a.op()).pads_each_end) continue;  // padding bounds it from below
    if (input_shape(a.call())[axis] == 0) continue;
    const Mutator::At at(a, axis);
    a.add("dim-value", "all tensors",
          "shape[" + std::to_string(axis) + "] = " + std::to_string(least), false,
          [&](Call& c) { return set_lead(c, axis, least); });
  }
  mutate_byte_count(a);
  mutate_empty_batch(a);
  mutate_index_range(a);
}

}  // namespace gradproof::props
