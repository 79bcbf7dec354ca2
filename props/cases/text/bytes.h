// A Case as a byte string with every field at a fixed place, for fuzzers: mixing two strings mixes
// two cases, and a changed byte is a changed field.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// What has a place in the bytes: dimensions of a view or storage, and numbers of an int array.
inline constexpr std::size_t kBytesDimensions = 10, kBytesArray = 8;

/// Total: every string is a case. What is missing at its end reads as zeros. The first byte names
/// the operator, unless `op` does.
Case from_bytes(std::span<const std::uint8_t> bytes, std::optional<ref::Operator> op = {});

/// Reads back to the same case if nothing is longer than there is room for (the rest is cut off),
/// a null tensor says nothing else, and all enumerators are ones that exist. Zeros at the end are
/// left out.
std::vector<std::uint8_t> to_bytes(Case c);

}  // namespace gradproof::props
