// What every kernel's geometry is made of: element types, axes, strides.
//
// Kernels are pure compute on pointers and plain integers that validation has proved to fit. All
// strides are in elements and may be 0 (inputs) or in any order; extents are at least 1 unless a
// geometry says otherwise. Accumulation, order and rounding: docs/contract.md, "Numbers".
#pragma once

#include <cstdint>

namespace gradproof::kernels {

enum class Element : std::uint8_t { f32, f16, bf16, f64, c64, c128 };

/// Of an element: a complex one has both components.
constexpr int bytes_of(Element element) {
  switch (element) {
    case Element::f16:
    case Element::bf16: return 2;
    case Element::f64:
    case Element::c64: return 8;
    case Element::c128: return 16;
    default: return 4;
  }
}

struct Axes2 {
  std::int64_t h = 1, w = 1;
};
struct Axes3 {
  std::int64_t d = 1, h = 1, w = 1;
};

/// Strides of a [n, c, h, w] view; of NHWC tensors too, whose dimensions are put in this order.
struct Strides4 {
  std::int64_t n = 0, c = 0, h = 0, w = 0;
};
/// Strides of a [n, c, d, h, w] view.
struct Strides5 {
  std::int64_t n = 0, c = 0, d = 0, h = 0, w = 0;
};

/// Whether a plane is in row-major order without gaps.
constexpr bool dense(const Strides5& s, const Axes3& e) {
  return (s.w == 1 || e.w == 1) && (s.h == e.w || e.h == 1) && (s.d == e.h * e.w || e.d == 1);
}

}  // namespace gradproof::kernels
