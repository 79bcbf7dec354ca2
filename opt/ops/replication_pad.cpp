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

Status check_pad_descriptors(const Call& call) {
  GRADPROOF_TRY(check_types(call, kProductTypes));
  GRADPROOF_TRY(check_formats(call, accepts));
  GRADPROOF_TRY(check_ranks(call, 3, 4));
  return check_extents(call, [](int, int axis) { return axis == 0; });
}

Status check_padding(const Call& call, const TensorArgument& image, const ArrayArgument& padding) {
  GRADPROOF_TRY(check_length(call, padding, {4}));
  for (int i = 0; i < 4; ++i) {
    const int axis = image.rank() - (i < 2 ? 1 : 2);
    if (padding[i] >= image->shape[axis]) {
      GRADPROOF_TRY(refuse(call, "padding-value", padding.name, "[", i, "] is ", padding[i],
                           ", must be less than ", image->shape[axis], ", which is ", image.name,
                           "[", axis, "]"));
    }
  }
  return {};
}

Status check_padded_shape(const Call& call, const TensorArgument& image,
                          const TensorArgument& padded, const ArrayArgument& padding) {
  const int rank = image.rank();
  GRADPROOF_TRY(check_same_extents(call, image, padded, rank - 2));
  for (int axis : {rank - 2, rank - 1}) {
    const int before = axis == rank - 1 ? 0 : 2;
    const Wide expected = Wide{image->shape[axis]} + padding[before] + padding[before + 1];
    GRADPROOF_TRY(check_extent(call, padded, axis, expected, [&] {
      return words(image.name, "[", axis, "] is ", image->shape[axis], ", padding ",
                   padding[before], " and ", padding[before + 1]);
    }));
  }
  return {};
}

}  // namespace gradproof::ops
