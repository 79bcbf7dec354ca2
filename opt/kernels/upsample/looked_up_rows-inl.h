// What all sums of columns along rows share: the rows, the product of a term, and the loop over
// rows.
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "opt/kernels/vector/convert-inl.h"

#if defined(GRADPROOF_KERNELS_UPSAMPLE_LOOKED_UP_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_UPSAMPLE_LOOKED_UP_ROWS_INL_H_
#undef GRADPROOF_KERNELS_UPSAMPLE_LOOKED_UP_ROWS_INL_H_
#else
#define GRADPROOF_KERNELS_UPSAMPLE_LOOKED_UP_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

/// Rows of sums, one after the other. Rows without sums are left out.
struct LookedUpRows {
  const float* sums;
  std::int64_t step, count;
  const bool* begun;
};

/// weight · value where there is a term, else 0: the product alone would be NaN for 0 · ∞.
template <class M, class V>
HWY_INLINE V product_or_zero(M some, V weight, V value) {
#if HWY_TARGET == HWY_AVX3
  return V{_mm512_maskz_mul_ps(some.raw, weight.raw, value.raw)};
#else
  return hn::IfThenElseZero(some, hn::Mul(weight, value));
#endif
}

/// The same where `full` says that every column has the term.
template <bool full, class V>
HWY_INLINE V product(V weight, V value) {
  if constexpr (full) return hn::Mul(weight, value);
  return product_or_zero(hn::Ne(weight, hn::Zero(Floats())), weight, value);
}

/// Hands the sums of one vector of columns to write(row, j, sums), row by row.
template <class Columns, class Write>
HWY_INLINE void write_columns(const Columns& columns, const LookedUpRows& rows, std::int64_t j,
                              const Write& write) {
  const auto all_rows = [&](auto full) HWY_ATTR {
    for (std::int64_t r = 0; r < rows.count; ++r) {
      const float* x = rows.sums + r * rows.step;
      if (rows.begun[r]) write(r, j, columns.template sums<decltype(full)::value>(x));
    }
  };
  if (columns.full()) {
    all_rows(std::true_type());
  } else {
    all_rows(std::false_type());
  }
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_UPSAMPLE_LOOKED_UP_ROWS_INL_H_
