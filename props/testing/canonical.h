// A call as kernels see it: tensors of full rank in the order N, C, (D,) H, W.
#pragma once

#include <string>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::testing::detail {

/// A tensor of the operator with that rank and order; strides are spelled out, memory is where it
/// was.
ref::Tensor canonical_view(ref::Operator op, const ref::Tensor& tensor);

/// A case with contiguous tensors of that form, which the reference evaluates to positions in that
/// order.
struct Canonical {
  ref::Call call;
  std::vector<ref::Dense> data;
  int result = 0;    ///< slot of the gradient that is written
  std::string name;  ///< of that tensor, as the struct has it: "grad_input"
};
/// @param data as make_data gives it
Canonical canonical(const props::Case& c, const std::vector<ref::Dense>& data);

/// Slot of the tensor that the operator writes.
int result_slot(ref::Operator op);
/// The rank that its tensors have in that form: 4 or 5.
std::size_t full_rank(ref::Operator op);

}  // namespace gradproof::testing::detail
