// The memory in which rows wait for whole lines.
#pragma once

#include <cstdint>

#include "opt/kernels/machine.h"

namespace gradproof::kernels {

inline constexpr std::int64_t kStaged = 1024;  ///< bytes that are written at once, or more

/// For rows of `bytes`: what waits, the row behind it and a line that may be overwritten.
constexpr std::int64_t staged_bytes(std::int64_t bytes) {
  const auto line = static_cast<std::int64_t>(kLine);
  return kStaged + (bytes + line - 1) / line * line + 2 * line;
}

}  // namespace gradproof::kernels
