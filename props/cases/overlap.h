// Whether a memory layout lets elements of a view share addresses.
#pragma once

#include "ref/call.h"

namespace gradproof::props {

/// Whether two elements of the view may share an address: zero strides, or strides that do not
/// nest.
bool may_overlap(const ref::Tensor& t);

}  // namespace gradproof::props
