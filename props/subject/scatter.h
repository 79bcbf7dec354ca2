// Moves elements between their dense order and the storage of a view; fills memory with one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ref/exact.h"

namespace gradproof::props {

/// Writes the elements of `dense` to their places; `storage` is what the data pointer points to.
void scatter(const ref::Tensor& view, const std::byte* dense, std::byte* storage);
/// Reads the elements of the view.
ref::Dense gather(const ref::Tensor& view, const std::byte* storage);

/// Fills `bytes` bytes with the element, over and over.
void repeat(const std::vector<std::byte>& element, std::byte* to, std::int64_t bytes);

}  // namespace gradproof::props
