// Sums of columns that begin two positions apart, as where an image is doubled: with AVX2, whose
// lookup in two vectors takes five operations, every second position by one shuffle.
#include "hwy/highway.h"
#include "opt/kernels/read_once.h"
#include "opt/kernels/upsample/column_lookup.h"
#include "opt/kernels/upsample/looked_up_rows-inl.h"

#if defined(GRADPROOF_KERNELS_UPSAMPLE_EVEN_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_UPSAMPLE_EVEN_COLUMNS_INL_H_
#undef GRADPROOF_KERNELS_UPSAMPLE_EVEN_COLUMNS_INL_H_
#else
#define GRADPROOF_KERNELS_UPSAMPLE_EVEN_COLUMNS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2

/// A vector of columns each of which begins two positions behind the one before it, and of whose
/// four positions every second one is shuffled within blocks of 128 bits.
class EvenColumns {
 public:
  using V = hn::Vec<Floats>;
  static constexpr std::size_t kTerms = 4;

  /// `most`: positions of a row.
  HWY_INLINE EvenColumns(const upsample::ColumnLookup& table, std::int64_t begin,
                         std::int64_t column, std::int64_t most) {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    const std::int32_t* first = table.first + column;
    const float* weights = table.weights + column;
    // At an edge the first column has a term less; it begins where it would with that term.
    const std::int32_t base = static_cast<std::int32_t>(std::int64_t{read_once(first[1])} - 2);
    const bool late = first[0] == base + 1 && weights[3 * table.stride] == 0;
    const auto steps = hn::Add(hn::Set(di, base), hn::ShiftLeft<1>(hn::Iota(di, 0)));
    const auto apart = hn::Sub(hn::LoadU(di, first), steps);
    const auto expected = hn::IfThenElseZero(hn::FirstN(di, 1), hn::Set(di, late ? 1 : 0));
    fits_ = base >= begin - 1 && base <= begin + most && hn::AllTrue(di, hn::Eq(apart, expected));
    if (!fits_) return;
    from_ = base - begin;
    full_ = true;
    for (std::size_t t = 0; t < kTerms; ++t) {
      const float* from = weights + static_cast<std::int64_t>(t) * table.stride;
      V w = hn::LoadU(d, from);
      if (late) w = hn::InsertLane(w, 0, t == 0 ? 0.0f : *(from - table.stride));
      full_ = full_ && hn::AllTrue(d, hn::Ne(w, hn::Zero(d)));
      weight_[t] = in_order(w);
    }
  }

  bool fits() const { return fits_; }
  bool full() const { return full_; }

  /// The columns' sums of the row at x, from whose −1st float on is read. `full`: no term is
  /// absent.
  template <bool full>
  HWY_INLINE V sums(const float* x) const {
    const Floats d;
    V sum = hn::Zero(d);
    for (std::size_t t = 0; t < kTerms; t += 2) {
      const float* at = x + from_ + t;
      const V low = hn::LoadU(d, at), high = hn::LoadU(d, at + hn::Lanes(d));
      const V even{_mm256_shuffle_ps(low.raw, high.raw, 0x88)};
      const V odd{_mm256_shuffle_ps(low.raw, high.raw, 0xdd)};
      sum = hn::Add(sum, product<full>(weight_[t], even));
      sum = hn::Add(sum, product<full>(weight_[t + 1], odd));
    }
    return in_order(sum);
  }

 private:
  /// Shuffled lanes in order, and lanes in order as shuffles leave them.
  static HWY_INLINE V in_order(V v) {
    return V{_mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(v.raw), 0xd8))};
  }
  V weight_[kTerms];
  std::int64_t from_ = 0;
  bool fits_, full_ = false;
};

/// The same as lookup_columns_of for one vector of columns of all rows; false if they do not fit.
template <class Write>
HWY_INLINE bool even_columns(const LookedUpRows& rows, const upsample::ColumnLookup& table,
                             std::int64_t begin, std::int64_t j0, std::int64_t j,
                             const Write& write) {
  const EvenColumns columns(table, begin, j0 + j, rows.step);
  if (!columns.fits()) return false;
  write_columns(columns, rows, j, write);
  return true;
}

#endif

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_UPSAMPLE_EVEN_COLUMNS_INL_H_
