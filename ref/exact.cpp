// Evaluation: an operator's definition, and what must be known to judge its results.
#include "ref/exact.h"

#include "ref/element.h"
#include "ref/row.h"
#include "ref/types.h"

namespace gradproof::ref {
Evaluation::Evaluation(const Call& call, std::span<const Dense> inputs, const Numerics& numerics)
    : call_(call), inputs_(inputs), numerics_(numerics) {
  for (const Parameter& p : signature(call.op).parameters) {
    if (p.kind == Kind::tensor && p.access == Access::written) outputs_.push_back(p.slot);
  }
}

Arithmetic Evaluation::arithmetic(int) const { return row_of(call_.op).arithmetic; }

std::int32_t Evaluation::result_type(int output_slot) const {
  const std::int32_t type = component_type(call_.tensors[output_slot].dtype);
  const bool through_float16 = row_of(call_.op).through_float16 == call_.product && type == kFloat;
  return through_float16 ? kFloat16 : type;
}

std::int32_t Evaluation::term_type(int output_slot) const { return result_type(output_slot); }

std::int32_t Evaluation::sum_type(int output_slot) const {
  if (numerics_.accumulation != kDtypeUndefined) return numerics_.accumulation;
  return result_type(output_slot) == kDouble ? kDouble : kFloat;
}

double Evaluation::weight_error(int output_slot) const {
  if (arithmetic(output_slot) != Arithmetic::weighted || plane_count(output_slot) == 0) return 0;
  const Images im = images(call_, 0);
  // (λh + εh)(λw + εw) − λh·λw with weights of at most 1.
  const double eh = axis_weight_error(im.in_h, numerics_.coordinates),
               ew = axis_weight_error(im.in_w, numerics_.coordinates);
  return eh + ew + eh * ew;
}

std::int64_t Evaluation::plane_count(int output_slot) const {
  const std::vector<std::int64_t>& shape = call_.tensors[output_slot].shape;
  if (arithmetic(output_slot) == Arithmetic::weighted &&
      call_.tensors[output_slot].format == kNhwc) {
    return shape[0] * shape[3];
  }
  if (product(shape) == 0) return 0;
  return product(std::span(shape).first(shape.size() - row_of(call_.op).plane_axes));
}

Plane Evaluation::plane(int output_slot, std::int64_t index) const {
  return row_of(call_.op).plane({call_, inputs_, output_slot, index, numerics_});
}

bool Evaluation::has_bad_index(BadIndex* first) const {
  if (!row_of(call_.op).has_positions() || !row_of(call_.op).backward) return false;
  const Dense& indices = inputs_[slot(call_.op, "indices")];
  const std::int64_t plane_size = product(std::span(tensor(call_, "self").shape).last(3));
  for (std::int64_t i = 0; i < product(indices.shape); ++i) {
    const auto value = static_cast<std::int64_t>(load(indices.bytes.data(), kInt32, i));
    if (value < 0 || value >= plane_size) {
      if (first != nullptr) *first = {i, value};
      return true;
    }
  }
  return false;
}

Dense forward_indices(const Call& call, const Dense& self) {
  const Tensor& indices = tensor(call, "indices");
  const std::vector<std::int64_t>& pooled = tensor(call, "gradOutput").shape;
  Dense result{indices.dtype, indices.shape, {}};
  const std::int64_t count = product(indices.shape);
  if (row_of(call.op).has_mask()) {
    for (std::int64_t i = 0; static_cast<std::int64_t>(result.bytes.size()) < count; ++i) {
      const std::vector<std::byte> plane = mask_plane(call, self, pooled, i);
      result.bytes.insert(result.bytes.end(), plane.begin(), plane.end());
    }
    return result;
  }
  result.bytes.resize(static_cast<std::size_t>(count) * sizeof(std::int32_t));
  if (count == 0) return result;
  const Ranges3 ranges = row_of(call.op).windows(call, pooled);
  std::int64_t next = 0;
  for (std::int64_t plane = 0; plane < product(std::span(pooled).first(pooled.size() - 3));
       ++plane) {
    const std::vector<long double> values = load_plane(self, plane_of(self.shape, 3, plane));
    for (std::int64_t at : argmax_plane(values, self.shape, ranges)) {
      store(result.bytes.data(), kInt32, next++, static_cast<long double>(at));
    }
  }
  return result;
}

}  // namespace gradproof::ref
