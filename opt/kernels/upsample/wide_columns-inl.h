// Sums of columns whose positions are in four vectors, as where an image is made up to four times
// as large: with AVX-512, where two permutations of two vectors and a blend find a term of each.
#include <algorithm>

#include "hwy/highway.h"
#include "opt/kernels/read_once.h"
#include "opt/kernels/upsample/column_lookup.h"
#include "opt/kernels/upsample/looked_up_rows-inl.h"

#if defined(GRADPROOF_KERNELS_UPSAMPLE_WIDE_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_UPSAMPLE_WIDE_COLUMNS_INL_H_
#undef GRADPROOF_KERNELS_UPSAMPLE_WIDE_COLUMNS_INL_H_
#else
#define GRADPROOF_KERNELS_UPSAMPLE_WIDE_COLUMNS_INL_H_
#endif

#if HWY_TARGET == HWY_AVX3

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

class WideColumns {
 public:
  using V = hn::Vec<Floats>;

  /// `most`: positions of a row.
  HWY_INLINE WideColumns(const upsample::ColumnLookup& table, std::int64_t begin,
                         std::int64_t column, std::int64_t most) {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    const std::int32_t* first = table.first + column;
    // Columns before the first term of a tile stand for earlier positions.
    const std::int32_t base =
        read_within(first[0], static_cast<std::int32_t>(begin),
                    static_cast<std::int32_t>(std::min<std::int64_t>(begin + most, INT32_MAX)));
    const auto at = hn::Sub(hn::LoadU(di, first), hn::Set(di, base));
    for (std::size_t t = 0; t < kTogether; ++t) {
      at_[t] = hn::Add(at, hn::Set(di, static_cast<std::int32_t>(t)));
      behind_[t] = _mm512_test_epi32_mask(at_[t].raw, _mm512_set1_epi32(32));
    }
    full_ = true;
    for (std::size_t t = 0; t < kTerms; ++t) {
      weight_[t] =
          hn::LoadU(d, table.weights + column + static_cast<std::int64_t>(t) * table.stride);
      full_ = full_ && hn::AllTrue(d, hn::Ne(weight_[t], hn::Zero(d)));
    }
    from_ = base - begin;
  }

  bool full() const { return full_; }

  /// The columns' sums of the row at x. `full`: no term is absent.
  template <bool full>
  HWY_INLINE V sums(const float* x) const {
    const Floats d;
    V sum = hn::Zero(d), v[4];
    for (std::size_t t = 0; t < kTerms; ++t) {
      if (t % kTogether == 0) {
        for (std::size_t k = 0; k < 4; ++k) v[k] = hn::LoadU(d, x + from_ + t + k * hn::Lanes(d));
      }
      const auto at = at_[t % kTogether].raw;
      const V value{_mm512_mask_blend_ps(behind_[t % kTogether],
                                         _mm512_permutex2var_ps(v[0].raw, at, v[1].raw),
                                         _mm512_permutex2var_ps(v[2].raw, at, v[3].raw))};
      // A sum that began with 0 is never −0, so adding 0 changes nothing.
      sum = hn::Add(sum, product<full>(weight_[t], value));
    }
    return sum;
  }

 private:
  static constexpr auto kTerms = static_cast<std::size_t>(upsample::kTerms);
  static constexpr std::size_t kTogether = upsample::ColumnLookup::kTogether;

  hn::Vec<hn::RebindToSigned<Floats> > at_[kTogether];
  __mmask16 behind_[kTogether];  ///< lanes whose position is in the third or fourth vector
  V weight_[kTerms];
  std::int64_t from_;
  bool full_;
};

/// As lookup_columns(), one vector at a time.
template <class Write>
HWY_INLINE void wide_columns(const LookedUpRows& rows, const upsample::ColumnLookup& table,
                             std::int64_t begin, std::int64_t j0, std::int64_t width,
                             const Write& write) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  for (std::int64_t j = (width - 1) / lanes * lanes; j >= 0; j -= lanes) {
    const WideColumns columns(table, begin, j0 + j, rows.step);
    write_columns(columns, rows, j, write);
  }
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif  // GRADPROOF_KERNELS_UPSAMPLE_WIDE_COLUMNS_INL_H_
