// The memory of rows whose columns come in pairs (column_pairs-inl.h).
#pragma once

#include <cstdint>

namespace gradproof::kernels {

/// How many keys and terms more than columns a row has room for: vectors run over its end.
inline constexpr std::int64_t kPairSpare = 64;

}  // namespace gradproof::kernels
