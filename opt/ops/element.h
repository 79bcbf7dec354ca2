// Element types and formats as the API numbers them: names, sizes, and the kernels' name for them.
#pragma once

#include <cstdint>
#include <string>

#include "acl/acl_base.h"
#include "opt/kernels/geometry.h"

namespace gradproof::ops {

/// "FLOAT"; "dtype(77)" for a number without a name here.
std::string dtype_name(aclDataType dtype);
/// "NCHW"; "format(77)" for a number without a name here.
std::string format_name(aclFormat format);
/// Bytes of one element; 0 of a number without a name here.
std::int64_t element_size(aclDataType dtype);
/// A floating type as the kernels call it.
kernels::Element element(aclDataType dtype);

}  // namespace gradproof::ops
