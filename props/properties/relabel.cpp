// Relabelling of calls, dense tensors, positions and masks.
#include "props/properties/relabel.h"

#include <cstring>
#include <numeric>

#include "props/cases/shapes.h"
#include "ref/element.h"
#include "ref/operators.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

using Shape = std::vector<std::int64_t>;

Shape permuted(const Shape& shape, const std::vector<std::size_t>& order) {
  Shape result;
  for (std::size_t axis : order) result.push_back(shape[axis]);
  return result;
}

ref::Dense permuted(const ref::Dense& source, const Relabel& r) {
  ref::Dense result{source.dtype, permuted(source.shape, r.order),
                    std::vector<std::byte>(source.bytes.size())};
  const std::vector<std::int64_t> strides = ref::contiguous_strides(source.shape);
  const auto size = static_cast<std::size_t>(ref::dtype_size(source.dtype));
  const std::size_t rank = r.order.size(), count = source.bytes.size() / size;
  Shape at(rank, 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t from = 0;
    for (std::size_t a = 0; a < rank; ++a) {
      from += (at[a] + r.shift[a]) % result.shape[a] * strides[r.order[a]];
    }
    std::memcpy(result.bytes.data() + i * size,
                source.bytes.data() + static_cast<std::size_t>(from) * size, size);
    for (std::size_t a = rank; a-- > 0 && ++at[a] == result.shape[a];) at[a] = 0;
  }
  return result;
}

/// Flat positions of a plane with these extents, after its axes changed places.
void move_positions(ref::Dense& indices, const Shape& extents,
                    const std::vector<std::size_t>& spatial) {
  const Shape strides = ref::contiguous_strides(extents),
              moved = ref::contiguous_strides(permuted(extents, spatial));
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(indices.bytes.size() / 4); ++i) {
    const auto old = static_cast<std::int64_t>(ref::load(indices.bytes.data(), ref::kInt32, i));
    std::int64_t now = 0;
    for (std::size_t a = 0; a < spatial.size(); ++a)
      now += old / strides[spatial[a]] % extents[spatial[a]] * moved[a];
    ref::store(indices.bytes.data(), ref::kInt32, i, static_cast<long double>(now));
  }
}

/// Bits that have a meaning are permuted, the others become 0.
ref::Dense relabelled_mask(const ref::Call& from, const ref::Call& to, const ref::Dense& mask,
                           const Relabel& r) {
  const Shape &before = from.tensors[output_side(from.op)].shape,
              &after = to.tensors[output_side(to.op)].shape;
  ref::Dense result{mask.dtype, to.tensors[indices_slot(to.op)].shape,
                    std::vector<std::byte>(mask.bytes.size())};
  if (mask.bytes.empty()) return result;
  const ref::MaskLayout source(from, before), target(to, after);
  const bool swapped = r.spatial[0] == 1;
  const std::size_t channel = after.size() - 3;
  const std::int64_t samples = channel == 1 ? after[0] : 1, channels = after[channel],
                     width = after.back();
  for (std::int64_t n = 0; n < samples; ++n) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const std::int64_t source_n = channel == 1 ? (n + r.shift[0]) % samples : 0;
      const std::int64_t plane = n * channels + c,
                         old_plane = source_n * channels + (c + r.shift[channel]) % channels;
      for (std::int64_t kh = 0; kh < target.kernel_h; ++kh) {
        for (std::int64_t kw = 0; kw < target.kernel_w; ++kw) {
          const std::int64_t k = kh * target.kernel_w + kw,
                             old_k = swapped ? kw * source.kernel_w + kh : k;
          for (std::int64_t p = 0; p < target.outputs; ++p) {
            const std::int64_t old_p = swapped ? p % width * before.back() + p / width : p;
            const std::byte bit =
                mask.bytes[static_cast<std::size_t>(source.byte(old_plane, old_k, old_p))] >>
                source.bit(old_plane);
            result.bytes[static_cast<std::size_t>(target.byte(plane, k, p))] |=
                (bit & std::byte{1}) << target.bit(plane);
          }
        }
      }
    }
  }
  return result;
}

void relabel_arrays(ref::Call& call, const Relabel& r) {
  for (const ref::Parameter& p : ref::signature(call.op).parameters) {
    if (p.kind != ref::Kind::int_array) continue;
    Shape& values = call.arrays[p.slot].values;
    if (p.name == "inputSize") {
      values = permuted(values, r.order);
    } else if (p.name == "padding" && family(call.op).pads_each_end) {
      const Shape before = values;
      const std::size_t last = r.spatial.size() - 1;  // pairs begin with the last axis
      for (std::size_t a = 0; a <= last; ++a) {
        for (std::size_t end = 0; end < 2; ++end)
          values[2 * (last - a) + end] = before[2 * (last - r.spatial[a]) + end];
      }
    } else if (values.size() == r.spatial.size()) {
      values = permuted(values, r.spatial);
    }
  }
  if (!call.reals.empty() && r.spatial[0] == 1) std::swap(call.reals[0], call.reals[1]);
}

ref::Dense relabelled_tensor(const ref::Call& from, const ref::Call& to, int slot,
                             const ref::Dense& dense, const Relabel& r) {
  if (dense.shape.empty()) return dense;
  if (slot != indices_slot(from.op)) return permuted(dense, r);
  if (has_mask(from.op)) return relabelled_mask(from, to, dense, r);
  ref::Dense result = permuted(dense, r);
  const Shape& self = from.tensors[input_side(from.op).front()].shape;
  move_positions(result, Shape(self.end() - 3, self.end()), r.spatial);
  return result;
}

}  // namespace

Relabel unchanged(const ref::Call& call) {
  const std::size_t rank = call.tensors[output_side(call.op)].shape.size();
  Relabel r{std::vector<std::size_t>(rank), std::vector<std::int64_t>(rank, 0),
            std::vector<std::size_t>(spatial_axes(call.op))};
  std::iota(r.order.begin(), r.order.end(), std::size_t{0});
  std::iota(r.spatial.begin(), r.spatial.end(), std::size_t{0});
  return r;
}

Problem relabelled(const Problem& problem, const Relabel& relabel) {
  Problem result = problem;
  ref::Call& call = result.c.call;
  make_plain(call);
  const int mask = has_mask(call.op) ? indices_slot(call.op) : -1;
  for (int slot = 0; slot < static_cast<int>(call.tensors.size()); ++slot) {
    // The mask's shape depends on products of extents, which no change of order changes.
    if (slot != mask)
      reshape(call.tensors[slot], permuted(call.tensors[slot].shape, relabel.order));
  }
  relabel_arrays(call, relabel);
  for (int slot = 0; slot < static_cast<int>(result.data.size()); ++slot) {
    result.data[slot] = relabelled_tensor(problem.c.call, call, slot, problem.data[slot], relabel);
  }
  return result;
}

ref::Dense relabelled_output(const ref::Call& from, const ref::Call& to, int slot,
                             const ref::Dense& output, const Relabel& relabel) {
  return relabelled_tensor(from, to, slot, output, relabel);
}

}  // namespace gradproof::props
