// Adds terms, widened to float, at given positions.
#include "opt/kernels/scalar.h"
#include "opt/kernels/vector/convert-inl.h"
#include "opt/kernels/vector/scatter.h"

#if defined(GRADPROOF_KERNELS_VECTOR_ADD_TERMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_ADD_TERMS_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_ADD_TERMS_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_ADD_TERMS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

/// sums[at[i]] += grad[i * stride] in ascending i. `widened` has room for n floats, unless the
/// scalars are floats.
template <class Scalar, class Position>
HWY_INLINE void add_terms(float* sums, const Position* at, const Scalar* grad, std::int64_t stride,
                          std::int64_t n, float* widened) {
  if constexpr (std::is_same_v<Scalar, float>) {
    if (stride == 1) {
      scatter_add(sums, at, grad, n);
    } else {
      for (std::int64_t i = 0; i < n; ++i) sums[at[i]] += grad[i * stride];
    }
  } else {
    const Floats d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; stride == 1 && i + lanes <= n; i += lanes)
      hn::StoreU(widen_from(d, grad + i), d, widened + i);
    for (; i < n; ++i) widened[i] = widen(grad[i * stride]);
    scatter_add(sums, at, widened, n);
  }
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_ADD_TERMS_INL_H_
