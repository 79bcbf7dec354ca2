// Spellings: parameters that say the same thing in another way must have the same result.
#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/shapes.h"
#include "props/properties/problem.h"

namespace gradproof::props {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr const char* kWindowArrays[] = {"kernelSize", "stride", "padding", "dilation"};

bool is_empty(const ref::Call& call) {
  return element_count(call.tensors[output_side(call.op)].shape) == 0;
}

std::size_t rank(const ref::Call& call) { return call.tensors[output_side(call.op)].shape.size(); }
bool without_batch(const ref::Call& call) {
  return rank(call) == static_cast<std::size_t>(spatial_axes(call.op)) + 1;
}

void change_rank(Shape& shape, bool add) {
  if (add)
    shape.insert(shape.begin(), 1);
  else
    shape.erase(shape.begin());
}

Shape repeated(const Shape& values, std::size_t axes) {
  return values.size() == 1 ? Shape(axes, values[0]) : values;
}

}  // namespace

// Which dimension may be 0 depends on the rank.
bool rank_applies(const Case& c) {
  if (family(c.call.op).ranks.size() < 2 || !can_be_exact(c) || is_empty(c.call)) return false;
  return without_batch(c.call) || c.call.tensors[output_side(c.call.op)].shape[0] == 1;
}

Verdict check_rank(const Case& c, Bench& bench) {
  const Problem first = exact_problem(c);
  Problem second = first;
  const bool add = without_batch(c.call);
  make_plain(second.c.call);
  for (ref::Tensor& t : second.c.call.tensors) {
    Shape shape = t.shape;
    const auto before = static_cast<int>(shape.size());
    change_rank(shape, add);
    reshape(t, shape);
    t.format = format_at_rank(c.call.op, t.format, before, static_cast<int>(shape.size()));
  }
  for (ref::Dense& dense : second.data) {
    if (!dense.shape.empty()) change_rank(dense.shape, add);
  }
  return same_results(first, second, add ? "with a batch of 1" : "without the batch dimension",
                      bench);
}

bool lengths_apply(const Case& c) {
  if (!has_windows(c.call.op) || !can_be_exact(c)) return false;
  return std::any_of(std::begin(kWindowArrays), std::end(kWindowArrays), [&](const char* name) {
    return ref::int_array(c.call, name).values.size() == 1;
  });
}

Verdict check_lengths(const Case& c, Bench& bench) {
  const Problem first = exact_problem(c);
  Problem second = first;
  for (const char* name : kWindowArrays) {
    Shape& values = ref::int_array(second.c.call, name).values;
    values = repeated(values, static_cast<std::size_t>(spatial_axes(c.call.op)));
  }
  return same_results(first, second, "with arrays of length 1 written out", bench);
}

bool default_stride_applies(const Case& c) {
  if (!has_windows(c.call.op) || !can_be_exact(c)) return false;
  const Shape &stride = ref::int_array(c.call, "stride").values,
              &kernel = ref::int_array(c.call, "kernelSize").values;
  const auto axes = static_cast<std::size_t>(spatial_axes(c.call.op));
  return stride.empty() || repeated(stride, axes) == repeated(kernel, axes);
}

Verdict check_default_stride(const Case& c, Bench& bench) {
  const Problem first = exact_problem(c);
  Problem second = first;
  Shape& stride = ref::int_array(second.c.call, "stride").values;
  const bool was_empty = stride.empty();
  if (was_empty)
    stride = ref::int_array(second.c.call, "kernelSize").values;
  else
    stride.clear();
  return same_results(first, second,
                      was_empty ? "with the kernel's extents as stride" : "with an empty stride",
                      bench);
}

// A padding of half a window at most never lets a window of an exact division start in the padding.
bool ceil_mode_applies(const Case& c) {
  if (!has_windows(c.call.op) || !can_be_exact(c) || is_empty(c.call)) return false;
  const std::vector<Window> axes = windows(c.call);
  return std::all_of(axes.begin(), axes.end(),
                     [](const Window& w) { return (w.in + 2 * w.pad - w.kernel) % w.stride == 0; });
}

Verdict check_ceil_mode(const Case& c, Bench& bench) {
  const Problem first = exact_problem(c);
  Problem second = first;
  std::uint8_t& ceil = second.c.call.flags[0];
  ceil = ceil == 0;
  return same_results(first, second, ceil != 0 ? "with ceilMode" : "without ceilMode", bench);
}

}  // namespace gradproof::props
