// What every kernel's geometry is made of: element types, axes, strides, and the terms of a launch.
//
// Kernels are pure compute on pointers and plain integers that validation has proved to fit. All
// strides are in elements and may be 0 (inputs) or in any order; extents are at least 1 unless a
// geometry says otherwise. Accumulation, order and rounding: docs/contract.md, "Numbers".
#pragma once

#include <cstddef>
#include <cstdint>

#include "opt/base/instruction_set.h"

namespace gradproof::kernels {

enum class Element : std::uint8_t { f32, f16, bf16, f64, c64, c128 };

struct Axes2 { std::int64_t h = 1, w = 1; };
struct Axes3 { std::int64_t d = 1, h = 1, w = 1; };

/// Strides of a [n, c, h, w] view; of NHWC tensors too, whose dimensions are put in this order.
struct Strides4 { std::int64_t n = 0, c = 0, h = 0, w = 0; };
/// Strides of a [n, c, d, h, w] view.
struct Strides5 { std::int64_t n = 0, c = 0, d = 0, h = 0, w = 0; };

/// The terms of one run.
struct Launch {
  int threads = 1;                 ///< at most so many; the plan's workspace was sized for them
  std::byte* workspace = nullptr;  ///< what the kernel's workspace() asked for, 64-byte aligned
  InstructionSet instruction_set = InstructionSet::scalar;  ///< one that is available
};

/// How a run ended. Only kernels that follow caller data (`indices`) can fail.
struct Outcome {
  bool ok = true;
  std::int64_t position = 0;  ///< row-major position of the first bad index in `indices`
  std::int64_t value = 0;     ///< and what stands there
};

/// One row of an operator's kernel table. The planner takes the first legal row.
template <class Geometry, class Buffers>
struct Kernel {
  const char* name;
  bool (*legal)(const Geometry&);
  std::uint64_t (*workspace)(const Geometry&, int threads);  ///< bytes, exact
  Outcome (*run)(const Geometry&, const Buffers&, const Launch&);
};

/// The first row of `table` that is legal for `geometry`. Every table ends in a row that always is.
template <class Table, class Geometry>
const auto& choose(const Table& table, const Geometry& geometry) {
  for (const auto& row : table) {
    if (row.legal(geometry)) return row;
  }
  return table.back();
}

}  // namespace gradproof::kernels
