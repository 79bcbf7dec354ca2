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

/// One axis with random extents before and, where that is free, after.
std::optional<Case> resized(Source& source, Case c) {
  ref::Call& call = c.call;
  const auto any = [&] {
    return 1 + static_cast<std::int64_t>(source.below(static_cast<std::uint64_t>(kReadable)));
  };
  const std::size_t axis = source.below(static_cast<std::uint64_t>(spatial_axes(call.op)));
  const auto resize = [&](int slot) {
    std::vector<std::int64_t> shape = call.tensors[static_cast<std::size_t>(slot)].shape;
    shape[first_spatial(call) + axis] = any();
    reshape(call.tensors[static_cast<std::size_t>(slot)], shape);
  };
  resize(input_side(call.op).front());
  if (traits(call.op).free_output) resize(output_side(call.op));
  if (has_parameter(call.op, "outputSize")) ref::int_array(call, "outputSize").values[axis] = any();
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
  if (small && largest_tensor(*small) > kReadable) small.reset();
  return small;
}

}  // namespace gradproof::props
