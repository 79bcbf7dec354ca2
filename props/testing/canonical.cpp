// Brings tensors into the order and rank that kernels see.
#include "props/testing/canonical.h"

#include <algorithm>
#include <cctype>

#include "props/cases/shapes.h"
#include "props/subject/scatter.h"
#include "ref/types.h"

namespace gradproof::testing::detail {
namespace {

/// "grad_input" for "gradInput".
std::string field_name(std::string_view parameter) {
  std::string name;
  for (const char c : parameter) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) name += '_';
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

/// The values in that order; what is not filled stays so.
ref::Dense reordered(ref::Operator op, const ref::Dense& dense, const ref::Tensor& tensor) {
  ref::Tensor plain = tensor;
  plain.offset = 0;
  plain.null_strides = true;
  const ref::Tensor view = canonical_view(op, plain);
  if (dense.bytes.empty()) return {tensor.dtype, view.shape, {}};
  return props::gather(view, dense.bytes.data());
}

}  // namespace

int result_slot(ref::Operator op) {
  const auto parameters = ref::signature(op).parameters;
  return std::find_if(parameters.begin(), parameters.end(),
                      [](const auto& p) { return p.access == ref::Access::written; })
      ->slot;
}

std::size_t full_rank(ref::Operator op) {
  return static_cast<std::size_t>(props::spatial_axes(op)) + 2;
}

ref::Tensor canonical_view(ref::Operator op, const ref::Tensor& tensor) {
  ref::Tensor view = tensor;
  if (view.null_strides) view.strides = ref::contiguous_strides(view.shape);
  view.null_strides = false;
  if (view.shape.size() < full_rank(op)) {  // without a batch
    view.strides.insert(view.strides.begin(), view.shape[0] * view.strides[0]);
    view.shape.insert(view.shape.begin(), 1);
  }
  if (props::channels_last(op, tensor)) {
    for (std::vector<std::int64_t>* d : {&view.shape, &view.strides})
      std::rotate(d->begin() + 1, d->end() - 1, d->end());
  }
  view.format = full_rank(op) == 5 ? ref::kNcdhw : ref::kNchw;
  return view;
}

Canonical canonical(const props::Case& c, const std::vector<ref::Dense>& data) {
  Canonical result;
  result.call = c.call;
  for (std::size_t slot = 0; slot < c.call.tensors.size(); ++slot) {
    const ref::Tensor& given = c.call.tensors[slot];
    result.data.push_back(reordered(c.call.op, data[slot], given));
    ref::Tensor& tensor = result.call.tensors[slot];
    tensor = canonical_view(c.call.op, given);
    tensor.strides = ref::contiguous_strides(tensor.shape);
    tensor.offset = 0;
    tensor.storage = tensor.shape;
    tensor.shares = -1;
    tensor.shares_at = 0;
  }
  result.result = result_slot(c.call.op);
  for (const ref::Parameter& p : ref::signature(c.call.op).parameters) {
    if (p.kind == ref::Kind::tensor && p.slot == result.result) result.name = field_name(p.name);
    if (p.name == "inputSize")
      result.call.arrays[static_cast<std::size_t>(p.slot)].values =
          result.call.tensors[static_cast<std::size_t>(result.result)].shape;
  }
  return result;
}

}  // namespace gradproof::testing::detail
