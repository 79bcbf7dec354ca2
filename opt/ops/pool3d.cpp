// Rules of the 3-D poolings.
#include "opt/ops/pool3d.h"

#include "opt/base/checked.h"

namespace gradproof::ops {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr ProductTypes kProductTypes{{{}, {}, kTypes, kTypes}};

bool accepts(const Call&, aclFormat format, int rank) {
  if (format == ACL_FORMAT_ND) return true;
  return (format == ACL_FORMAT_NCDHW && rank == 5) || (format == ACL_FORMAT_NCHW && rank == 4);
}

}  // namespace

Status check_pool3d_descriptors(const Call& call, Zeros zeros) {
  GRADPROOF_TRY(check_types(call, kProductTypes));
  GRADPROOF_TRY(check_formats(call, accepts));
  GRADPROOF_TRY(check_ranks(call, 4, 5));
  if (zeros == Zeros::none) return check_extents(call, [](int, int) { return false; });
  return check_extents(call, [](int, int) { return true; });
}

Status check_adaptive_extents(const Call& call, const TensorArgument& input,
                              const TensorArgument& pooled) {
  if (pooled.empty()) return {};
  for (int axis = input.rank() - 3; axis < input.rank(); ++axis) {
    if (input->shape[axis] == 0) {
      GRADPROOF_TRY(refuse(call, "dim-value", input.name, "[", axis, "] is 0 but ", pooled.name,
                           " is not empty"));
    }
  }
  return {};
}

Status check_index_range(const Call& call, const TensorArgument& input) {
  const auto plane = checked_product(std::span(input->shape).last(3));
  if (plane && *plane <= INT32_MAX) return {};
  return refuse(call, "index-range", input.name, " has planes of ", input->shape[input.rank() - 3],
                " x ", input->shape[input.rank() - 2], " x ", input->shape[input.rank() - 1],
                " positions, more than ", INT32_MAX, ", the last that INT32 indices can name");
}

}  // namespace gradproof::ops
