// Random memory layouts for the tensors of a valid call.
#pragma once

#include "props/cases/draw.h"

namespace gradproof::props {

/// Whether two elements of the view may share an address: zero strides, or strides that do not
/// nest.
bool may_overlap(const ref::Tensor& t);

}  // namespace gradproof::props
