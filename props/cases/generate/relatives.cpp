// Draws small cases of a kind.
#include "props/cases/generate/relatives.h"

#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/describe/size.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/shapes.h"
#include "ref/rules.h"

namespace gradproof::props {
namespace {

/// A random extent of the axis that leaves a tensor with the other extents readable, if it can.
std::int64_t readable_extent(Source& source, std::vector<std::int64_t> shape, std::size_t axis) {
  shape[axis] = 1;
  const std::int64_t others = std::max<std::int64_t>(element_count(shape).value_or(kReadable), 1);
  const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(kReadable / others, 1));
  return 1 + static_cast<std::int64_t>(source.below(most));
}

/// One axis with random extents before and, where that is free, after.
std::optional<Case> resized(Source& source, Case c) {
  ref::Call& call = c.call;
  const std::size_t axis = source.below(static_cast<std::uint64_t>(spatial_axes(call.op))),
                    dimension = first_spatial(call) + axis;
  const auto extent = [&](int slot) {
    return readable_extent(source, call.tensors[static_cast<std::size_t>(slot)].shape, dimension);
  };
  const int input = input_side(call.op).front(), output = output_side(call.op);
  resize(call.tensors[static_cast<std::size_t>(input)], dimension, extent(input));
  if (traits(call.op).free_output)
    resize(call.tensors[static_cast<std::size_t>(output)], dimension, extent(output));
  if (has_parameter(call.op, "outputSize"))
    ref::int_array(call, "outputSize").values[axis] = extent(output);
  c.seed = source.below(1'000'000);
  if (!conform(call) || ref::expect(call).rule != nullptr) return std::nullopt;
  return c;
}

}  // namespace

std::optional<Case> small_relative(Source& source, const Case& c) {
  const ref::Tensor& data = c.call.tensors.front();
  const CoveragePoint point{c.call.op, c.call.product, data.dtype,
                            static_cast<int>(data.shape.size()), data.format};
  const std::vector<CoveragePoint> known = coverage_points(c.call.op);
  std::optional<Case> small;
  if (source.below(2) == 0)
    small = resized(source, c);
  else if (std::find(known.begin(), known.end(), point) != known.end())
    small = generate_valid(source, point, {.max_elements = kReadable});
  if (small && largest_but_masks(*small) > kReadable) small.reset();
  return small;
}

}  // namespace gradproof::props
