// Sums of columns that begin four positions apart, along rows: four vectors of positions become the
// first, second, third and fourth positions of as many columns as a vector has lanes.
#include <algorithm>

#include "hwy/highway.h"
#include "opt/kernels/upsample/looked_up_rows-inl.h"
#include "opt/kernels/upsample/quad_columns.h"
#include "opt/kernels/vector/transpose-inl.h"

#if defined(GRADPROOF_KERNELS_UPSAMPLE_QUAD_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_UPSAMPLE_QUAD_COLUMNS_INL_H_
#undef GRADPROOF_KERNELS_UPSAMPLE_QUAD_COLUMNS_INL_H_
#else
#define GRADPROOF_KERNELS_UPSAMPLE_QUAD_COLUMNS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR

template <class Write>
HWY_INLINE void quad_columns(const LookedUpRows&, const upsample::QuadColumns&, std::int64_t,
                             std::int64_t, std::int64_t, const Write&) {}

#else

/// What the table says of a vector of columns, whose lanes are in the order that transposing quads
/// leaves: lane 4 b + r is column r · lanes / 4 + b.
template <std::size_t terms>
class QuadColumnVector {
 public:
  using V = hn::Vec<Floats>;

  /// `column`: the first one, at position `from` of a row.
  HWY_INLINE QuadColumnVector(const upsample::QuadColumns& table, std::int64_t column,
                              std::int64_t from)
      : from_(from) {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    std::int32_t transposed[kMostFloats], ordered[kMostFloats];
    const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
    for (std::int32_t lane = 0; lane < lanes; ++lane) {
      const std::int32_t of = lane % 4 * (lanes / 4) + lane / 4;
      transposed[lane] = of;
      ordered[of] = lane;
    }
    ordered_ = hn::LoadU(di, ordered);
    const auto order = hn::IndicesFromVec(d, hn::LoadU(di, transposed));
    full_ = true;
    for (std::size_t t = 0; t < terms; ++t) {
      const float* weights = table.weights + column + static_cast<std::int64_t>(t) * table.stride;
      weight_[t] = hn::TableLookupLanes(hn::LoadU(d, weights), order);
      full_ = full_ && hn::AllTrue(d, hn::Ne(weight_[t], hn::Zero(d)));
    }
  }

  bool full() const { return full_; }

  /// The columns' sums of the row at x. `full`: no term is absent.
  template <bool full>
  HWY_INLINE V sums(const float* x) const {
    const Floats d;
    V sum = hn::Zero(d);
    V value[upsample::QuadColumns::kStep];
    for (std::size_t t = 0; t < terms; ++t) {
      constexpr auto kStep = static_cast<std::size_t>(upsample::QuadColumns::kStep);
      if (t % kStep == 0) {
        for (std::size_t k = 0; k < kStep; ++k)
          value[k] = hn::LoadU(d, x + from_ + t + static_cast<std::int64_t>(k * hn::Lanes(d)));
        transpose_quads(d, value[0], value[1], value[2], value[3]);
      }
      // A sum that began with 0 is never −0, so adding 0 changes nothing.
      sum = hn::Add(sum, product<full>(weight_[t], value[t % kStep]));
    }
    return hn::TableLookupLanes(sum, hn::IndicesFromVec(d, ordered_));
  }

 private:
  V weight_[terms];
  hn::Vec<hn::RebindToSigned<Floats> > ordered_;
  std::int64_t from_;
  bool full_;
};

template <std::size_t terms, class Write>
HWY_INLINE void quad_columns_of(const LookedUpRows& rows, const upsample::QuadColumns& table,
                                std::int64_t begin, std::int64_t j0, std::int64_t width,
                                const Write& write) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  for (std::int64_t j = (width - 1) / lanes * lanes; j >= 0; j -= lanes) {
    const std::int64_t from = (j0 + j) * upsample::QuadColumns::kStep + table.offset - begin;
    // At an edge columns have fewer terms: places of the first ones may be in front of a row.
    // `begin` was found in the workspace, which another thread may overwrite: hence the bounds.
    const QuadColumnVector<terms> columns(
        table, j0 + j, std::clamp(from, -upsample::QuadColumns::kTerms, rows.step));
    write_columns(columns, rows, j, write);
  }
}

/// As lookup_columns(), one vector at a time. Up to 8 floats in front of a row and 4 · lanes + 8
/// floats behind it are read, though not used.
template <class Write>
HWY_INLINE void quad_columns(const LookedUpRows& rows, const upsample::QuadColumns& table,
                             std::int64_t begin, std::int64_t j0, std::int64_t width,
                             const Write& write) {
  constexpr auto kMost = static_cast<std::size_t>(upsample::QuadColumns::kTerms);
  // Without corners aligned all terms are there; with them the eighth has a weight of 0.
  if (table.terms < upsample::QuadColumns::kTerms)
    return quad_columns_of<kMost - 1>(rows, table, begin, j0, width, write);
  quad_columns_of<kMost>(rows, table, begin, j0, width, write);
}

#endif

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_UPSAMPLE_QUAD_COLUMNS_INL_H_
