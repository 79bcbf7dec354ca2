// Moves a tensor's values between their dense order and the storage of a view.
#pragma once

#include <cstddef>

#include "ref/exact.h"

namespace gradproof::props {

/// Writes the elements of `dense` to their places; `storage` is what the data pointer points to.
void scatter(const ref::Tensor& view, const std::byte* dense, std::byte* storage);
/// Reads the elements of the view.
ref::Dense gather(const ref::Tensor& view, const std::byte* storage);

}  // namespace gradproof::props
