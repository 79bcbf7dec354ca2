// What memory beside the elements of an input holds, so that a result which took it can be told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ref/exact.h"

namespace gradproof::props {

/// An element whose components are a NaN that no case's data have and no other memory holds; all
/// ones of a type without NaN.
std::vector<std::byte> outside_element(std::int32_t dtype);

/// Whether a component of the element is that NaN.
bool is_from_outside(const ref::Dense& output, std::int64_t position);

}  // namespace gradproof::props
