// Edits of calls.
#include "props/cases/mutate/edits.h"

namespace gradproof::props {

using ref::Call;
using ref::Tensor;

bool any_empty(const Call& c) { return std::any_of(c.tensors.begin(), c.tensors.end(), is_empty); }

void set_inputs(Call& c, const std::vector<std::int64_t>& shape) {
  for (int slot : input_side(c.op)) reshape(c.tensors[slot], shape);
}

std::vector<std::int64_t> input_shape(const Call& c) {
  return c.tensors[input_side(c.op).front()].shape;
}

bool set_lead(Call& c, std::size_t axis, std::int64_t extent) {
  std::vector<std::int64_t> in = input_shape(c);
  in[axis] = extent;
  set_inputs(c, in);
  if (family(c.op).empty_output && axis + 3 < in.size()) {
    std::vector<std::int64_t> out = c.tensors[output_side(c.op)].shape;
    out[axis] = extent;
    reshape(c.tensors[output_side(c.op)], out);
  }
  return conform(c);
}

void forget_data(Call& c) {
  for (Tensor& t : c.tensors) t.null_data = true;
}

void set_all(ref::IntArray& array, std::size_t length) {
  const std::vector<std::int64_t> old = array.values;
  array.values.clear();
  for (std::size_t i = 0; i < length; ++i) {
    array.values.push_back(old.empty() ? 1 : old[std::min(i, old.size() - 1)]);
  }
}

void spell_out(Call& c) {
  const std::size_t axes = spatial_axes(c.op);
  for (const char* name : {"kernelSize", "stride", "padding", "dilation"}) {
    ref::IntArray& array = ref::int_array(c, name);
    if (array.values.empty()) array = ref::int_array(c, "kernelSize");
    set_all(array, axes);
  }
}

}  // namespace gradproof::props
