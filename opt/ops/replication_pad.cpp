// Rules of replication padding.
#include "opt/ops/replication_pad.h"

namespace gradproof::ops {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_COMPLEX64,
                                  ACL_COMPLEX128};
constexpr ProductTypes kProductTypes{{kTypes, kTypes, kTypes, kTypes}};

/// Every format that is neither private nor undefined. None changes the order of the dimensions.
bool accepts(const Call&, aclFormat format, int) {
  switch (format) {
    case ACL_FORMAT_NCHW:
    case ACL_FORMAT_NHWC:
    case ACL_FORMAT_ND:
    case ACL_FORMAT_HWCN:
    case ACL_FORMAT_NDHWC:
    case ACL_FORMAT_NCDHW:
    case ACL_FORMAT_NC:
    case ACL_FORMAT_NCL: return true;
    default: return false;
  }
}

}  // namespace

Status check_pad_descriptors(const Call& call, int axes) {
  GRADPROOF_TRY(check_types(call, kProductTypes));
  GRADPROOF_TRY(check_formats(call, accepts));
  GRADPROOF_TRY(check_ranks(call, axes + 1, axes + 2));
  return check_extents(call, [](int, int axis) { return axis == 0; });
}

Status check_padding(const Call& call, const TensorArgument& image, const ArrayArgument& padding,
                     int axes) {
  GRADPROOF_TRY(check_length(call, padding, {static_cast<std::size_t>(2 * axes)}));
  for (int i = 0; i < 2 * axes; ++i) {
    const int axis = image.rank() - 1 - i / 2;
    if (padding[i] >= image->shape[axis]) {
      GRADPROOF_TRY(refuse(call, "padding-value", padding.name, "[", i, "] is ", padding[i],
                           ", must be less than ", image->shape[axis], ", which is ", image.name,
                           "[", axis, "]"));
    }
  }
  return {};
}

Status check_padded_shape(const Call& call, const TensorArgument& image,
                          const TensorArgument& padded, const ArrayArgument& padding, int axes) {
  const int rank = image.rank();
  GRADPROOF_TRY(check_same_extents(call, image, padded, rank - axes));
  for (int axis = rank - axes; axis < rank; ++axis) {
    const int before = 2 * (rank - 1 - axis);
    const Wide expected = Wide{image->shape[axis]} + padding[before] + padding[before + 1];
    GRADPROOF_TRY(check_extent(call, padded, axis, expected, [&] {
      return words(image.name, "[", axis, "] is ", image->shape[axis], ", padding ",
                   padding[before], " and ", padding[before + 1]);
    }));
  }
  return {};
}

}  // namespace gradproof::ops
