// Memory that the sink (sink-inl.h) needs in a workspace.
#pragma once

#include <cstdint>

#include "opt/kernels/machine.h"

namespace gradproof::kernels {

/// StagedRows writes when it holds so many bytes. Writes of 1 KiB cost no more than the copying.
inline constexpr std::int64_t kStaged = 1024;

/// Bytes that StagedRows needs for rows of `row_bytes`: what it holds, one more row, and a line
/// that a row's last vector may overwrite.
constexpr std::int64_t staged_bytes(std::int64_t row_bytes) {
  const auto line = static_cast<std::int64_t>(kLine);
  return kStaged + (row_bytes + line - 1) / line * line + 2 * line;
}

}  // namespace gradproof::kernels
