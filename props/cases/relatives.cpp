// Draws small cases of a kind.
#include "props/cases/relatives.h"

#include <algorithm>

#include "props/cases/shapes.h"
#include "props/cases/size.h"
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
  const Cell cell{c.call.op, c.call.product, data.dtype, static_cast<int>(data.shape.size()),
                  data.format};
  const std::vector<Cell> known = cells(c.call.op);
  std::optional<Case> small;
  if (source.below(2) == 0)
    small = resized(source, c);
  else if (std::find(known.begin(), known.end(), cell) != known.end())
    small = generate_valid(source, cell, {.max_elements = kReadable});
  if (small && largest_tensor(*small) > kReadable) small.reset();
  return small;
}

}  // namespace gradproof::props
