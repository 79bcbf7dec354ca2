// How large a case is: for its reader, and in memory.
#pragma once

#include <cstdint>
#include <limits>

#include "props/cases/case.h"

namespace gradproof::props {

/// A number of elements that no memory holds.
inline constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
/// Elements of the largest tensor that a person can still follow.
inline constexpr std::int64_t kReadable = 64;

/// Elements that the case's largest tensor claims, up to kHuge; tensors with a negative extent
/// claim none. Of a mask, whose bytes come in blocks by its format, the bits that stand for a
/// window's positions are counted.
std::int64_t largest_tensor(const Case& c);
/// Likewise without masks.
std::int64_t largest_but_masks(const Case& c);

/// Bytes that the case's tensors and their storages claim, of 8 bytes an element.
double claimed_bytes(const Case& c);

/// Whether a case that is derived from one that was run needs no more memory, or little. A case
/// without elements can have derived cases that need gigabytes, and minutes.
bool costs_no_more(const Case& derived, const Case& from);

/// Whether an empty tensor has other extents so large that a kernel which allocates by them fails.
bool is_hugely_empty(const Case& c);

}  // namespace gradproof::props
