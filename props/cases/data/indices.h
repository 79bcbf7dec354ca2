// The index recipes: argmax positions and masks for the three pooling gradients.
#pragma once

#include "props/cases/case.h"

namespace gradproof::props {

/// Contents of the call's `indices` for Fill in_range or one_bad; for `forward` see
/// ref::forward_indices.
ref::Dense random_indices(const Case& c);

}  // namespace gradproof::props
