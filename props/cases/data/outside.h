// What memory beside the elements of an input holds, so that a result which took it can be told.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ref/exact.h"

namespace gradproof::props {

/// Fills `bytes` bytes, a multiple of the component's size, with a NaN of the floating type that no
/// case's data have and no other memory holds. Of any other type: leaves them as they are.
void fill_outside(std::byte* first, std::int64_t bytes, std::int32_t dtype);

/// Whether a component of the element is that NaN.
bool is_from_outside(const ref::Dense& output, std::int64_t position);

}  // namespace gradproof::props
