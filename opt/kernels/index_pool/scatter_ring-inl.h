// Runs of outputs: from indices to places in the ring of sums, and the terms added there.
#include <algorithm>

#include "opt/kernels/index_pool/scatter_ring.h"
#include "opt/kernels/prefetch.h"
#include "opt/kernels/vector/add_terms-inl.h"
#include "opt/kernels/vector/scatter.h"
#include "opt/kernels/vector/single_terms-inl.h"
#include "opt/kernels/vector/sink-inl.h"

#if defined(GRADPROOF_KERNELS_INDEX_POOL_SCATTER_RING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_INDEX_POOL_SCATTER_RING_INL_H_
#undef GRADPROOF_KERNELS_INDEX_POOL_SCATTER_RING_INL_H_
#else
#define GRADPROOF_KERNELS_INDEX_POOL_SCATTER_RING_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::index_pool::scatter_ring::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;

/// Eight lanes with AVX-512, too: a Zen 4 takes 0.86 to 0.98 of the time that 16 lanes take.
using Words = hn::CappedTag<std::uint32_t, 8>;

/// Where the terms of one run of outputs go. Flat positions of the plane are unsigned, so that
/// negative indices are beyond any of them.
struct Aim {
  std::uint32_t legal_first, legal_size;  ///< the run's windows; other indices are outside
  std::uint32_t own_first, own_size;      ///< the part of it that is in the box's slices
  std::uint32_t base;                     ///< place in the ring of the first of these slices
  std::uint32_t wrap_at, wrap;            ///< from there on, `wrap` less
  std::uint32_t dump;                     ///< the first dump slot
  bool all_own;                           ///< no legal position is another box's
  // With bands: `base` is the place of the first legal slice, and a run has a single oh, so that
  // the rows of its windows are known.
  std::uint32_t slice, band_first, band_size, rows_first, rows_size;
  int slices, slices_to_wrap;  ///< legal ones; of these before the ring's end
};

/// Puts terms that meet no other into the ring. Returns how many are not 0, but for those in the
/// dump slots.
template <class Scalar>
HWY_INLINE std::int64_t put_terms(const Aim& aim, const Scalar* grad, std::int64_t stride,
                                  std::int64_t n, const std::uint32_t* addresses,
                                  const Scratch& scratch) {
  auto* ring = reinterpret_cast<std::uint16_t*>(scratch.ring);
  auto* terms = reinterpret_cast<std::uint16_t*>(scratch.terms);
  std::int64_t count = finish_terms(grad, stride, n, terms);
  scatter_store(ring, addresses, terms, n);
  if (aim.all_own) return count;
  for (std::int64_t i = 0; i < n; ++i) count -= addresses[i] >= aim.dump && terms[i] != 0;
  return count;
}

/// Adds n terms, or puts them into the ring and counts them. False, having done nothing, if an
/// index is outside its window.
template <bool bands, class Cell, class Scalar>
bool AddRun(const Aim& aim, const Scalar* HWY_RESTRICT grad, std::int64_t grad_stride,
            const std::int32_t* HWY_RESTRICT index, std::int64_t index_stride, std::int64_t n,
            const Scratch& scratch, std::int64_t& put) {
  const Words du;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(du));
  // Not in the workspace, where another thread might change them before they are followed.
  HWY_ALIGN std::uint32_t addresses[kRun];
  const std::int64_t whole = n / lanes * lanes;

  const hn::Vec<Words> legal_first = hn::Set(du, aim.legal_first),
                       own_first = hn::Set(du, aim.own_first);
  const hn::Vec<Words> own_size = hn::Set(du, aim.own_size), base = hn::Set(du, aim.base);
  const hn::Vec<Words> before_wrap = hn::Set(du, aim.wrap_at - 1), wrap = hn::Set(du, aim.wrap);
  const hn::Vec<Words> dump =
      hn::Add(hn::Set(du, aim.dump), hn::And(hn::Iota(du, 0), hn::Set(du, 15)));
  hn::Vec<Words> farthest = hn::Zero(du);
  hn::Vec<Words> farthest_row = hn::Zero(du);
  const auto translate = [&](hn::Vec<Words> i) HWY_ATTR {
    const hn::Vec<Words> a = hn::Sub(i, own_first), legal = hn::Sub(i, legal_first);
    const auto mine = hn::Lt(a, own_size);
    farthest = hn::Max(farthest, legal);
    if constexpr (bands) {
      hn::Vec<Words> in_slice = legal, at = base;
      for (int j = 1; j < aim.slices; ++j) {
        const auto beyond =
            hn::Gt(legal, hn::Set(du, static_cast<std::uint32_t>(j) * aim.slice - 1));
        in_slice = hn::Sub(in_slice, hn::IfThenElseZero(beyond, hn::Set(du, aim.slice)));
        const std::uint32_t step =
            j == aim.slices_to_wrap ? aim.band_size - aim.wrap : aim.band_size;
        at = hn::Add(at, hn::IfThenElseZero(beyond, hn::Set(du, step)));
      }
      farthest_row = hn::Max(farthest_row, hn::Sub(in_slice, hn::Set(du, aim.rows_first)));
      const hn::Vec<Words> in_band = hn::Sub(in_slice, hn::Set(du, aim.band_first));
      const auto here = hn::And(mine, hn::Lt(in_band, hn::Set(du, aim.band_size)));
      return hn::IfThenElse(here, hn::Add(at, in_band), dump);
    } else {
      const hn::Vec<Words> at =
          hn::Sub(hn::Add(a, base), hn::IfThenElseZero(hn::Gt(a, before_wrap), wrap));
      return hn::IfThenElse(mine, at, dump);
    }
  };
  if (index_stride == 1) {
    for (std::int64_t i = 0; i < whole; i += lanes) {
      prefetch(index + i + kPrefetchAhead / sizeof(*index));
      if (grad_stride == 1) prefetch(grad + i + kPrefetchAhead / sizeof(Scalar));
      const auto at = hn::LoadU(du, reinterpret_cast<const std::uint32_t*>(index) + i);
      no_second_read();
      hn::StoreU(translate(at), du, addresses + i);
    }
  }
  const std::int64_t copied = index_stride == 1 ? whole : 0;
  if (copied != n) {
    for (std::int64_t i = copied; i < n; ++i) {
      addresses[i] = read_index(index + i * index_stride);
    }
    const std::int64_t padded = (n + lanes - 1) / lanes * lanes;
    // A position in a window.
    std::fill(addresses + n, addresses + padded, aim.legal_first + aim.rows_first);
    for (std::int64_t i = copied; i < padded; i += lanes) {
      hn::StoreU(translate(hn::LoadU(du, addresses + i)), du, addresses + i);
    }
  }
  if (hn::GetLane(hn::MaxOfLanes(du, farthest)) >= aim.legal_size) return false;
  if (bands && hn::GetLane(hn::MaxOfLanes(du, farthest_row)) >= aim.rows_size) return false;

  if constexpr (std::is_same_v<Cell, float>) {
    add_terms(reinterpret_cast<float*>(scratch.ring), addresses, grad, grad_stride, n,
              reinterpret_cast<float*>(scratch.terms));
  } else {
    put += put_terms(aim, grad, grad_stride, n, addresses, scratch);
  }
  return true;
}

}  // namespace gradproof::kernels::index_pool::scatter_ring::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
