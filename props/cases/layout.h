// Random memory layouts for the tensors of a valid call.
#pragma once

#include "props/cases/draw.h"

namespace gradproof::props {

/// Whether two elements of the view may share an address: zero strides, or strides that do not
/// nest.
bool may_overlap(const ref::Tensor& t);
/// Gives every tensor of a call a layout that the contract allows for it; most stay plain, of a
/// network's layer more than of others.
void draw_layouts(Draw& draw, ref::Call& call, bool layer);

}  // namespace gradproof::props
