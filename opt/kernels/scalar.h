// How each element type is stored, widened for sums and rounded from them.
//
// Sums of float and of the 16-bit types are float (double in the forward upsampling, which
// rounds to float first), sums of double are double. Complex elements are two scalars side by side.
#pragma once

#include <limits>

#include "opt/base/element.h"
#include "opt/kernels/geometry.h"

namespace gradproof::kernels {

/// Float tensors that are computed in float16: terms and finished sums pass through it (Ascend910).
struct FloatViaFloat16 {
  float value;
};

inline float widen(float x) { return x; }
inline double widen(double x) { return x; }
inline float widen(Float16 x) { return to_float(x); }
inline float widen(BFloat16 x) { return to_float(x); }
inline float widen(FloatViaFloat16 x) { return to_float(to_float16(x.value)); }

template <class Scalar>
using SumOf = decltype(widen(Scalar{}));

/// Which NaN an addition hands on, and with what sign it makes one, depends on the processor and on
/// the order in which the compiler puts the operands. All sums that are NaN become the same NaN, so
/// that loops compiled for different layouts give the same bits.
template <class Sum>
inline Sum one_nan(Sum sum) {
  return sum == sum ? sum : std::numeric_limits<Sum>::quiet_NaN();
}

inline void narrow(float sum, float& x) { x = one_nan(sum); }
inline void narrow(double sum, double& x) { x = one_nan(sum); }
inline void narrow(float sum, Float16& x) { x = to_float16(one_nan(sum)); }
inline void narrow(float sum, BFloat16& x) { x = to_bfloat16(one_nan(sum)); }
inline void narrow(float sum, FloatViaFloat16& x) { x.value = to_float(to_float16(one_nan(sum))); }

/// Scalars of one element.
constexpr int components_of(Element element) {
  return element == Element::c64 || element == Element::c128 ? 2 : 1;
}

template <class T>
struct Type {
  using type = T;
};

/// Calls f(Type<Scalar>{}) for an element type of the pools and of upsampling.
template <class F>
decltype(auto) visit_narrow(Element element, const F& f) {
  switch (element) {
    case Element::f16: return f(Type<Float16>{});
    case Element::bf16: return f(Type<BFloat16>{});
    default: return f(Type<float>{});
  }
}

/// Calls f(Type<Scalar>{}) for an element type of the pads; complex types by their component.
template <class F>
decltype(auto) visit_wide(Element element, const F& f) {
  switch (element) {
    case Element::f16: return f(Type<Float16>{});
    case Element::bf16: return f(Type<BFloat16>{});
    case Element::f64:
    case Element::c128: return f(Type<double>{});
    default: return f(Type<float>{});
  }
}

}  // namespace gradproof::kernels
