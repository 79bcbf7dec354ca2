// One box of scatter_ring.h, compiled for every instruction set.
#include "opt/kernels/index_pool/scatter_ring.h"

#include <algorithm>
#include <cstring>

#include "opt/kernels/vector/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/index_pool/scatter_ring_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/index_pool/scatter_ring-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::index_pool::scatter_ring::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool3dBackwardGeometry;

/// Adds the outputs of depth od and rows oh; calls after(number of outputs) now and then. `put`:
/// see AddRun.
template <bool bands, class Cell, class Scalar, class After>
bool AddOutputs(const Geometry& g, const Plan& plan, Aim& aim, const IndexedPlane<Scalar>& plane,
                const Scratch& scratch, std::int64_t od, Span oh, std::int64_t& put,
                const After& after) {
  const Strides5 &s = g.grad_output, &t = g.indices;
  const std::int64_t columns = g.out.w;
  std::int64_t rows = 1;  // of a run
  if (!bands && s.h == s.w * g.out.w && t.h == t.w * g.out.w) rows = oh.last - oh.first;
  for (std::int64_t row = oh.first; row < oh.last; row += rows) {
    if constexpr (bands) {
      const Span window = plan.h.window(row);
      aim.rows_first = static_cast<std::uint32_t>(window.first * g.in.w);
      aim.rows_size = static_cast<std::uint32_t>((window.last - window.first) * g.in.w);
    }
    const Scalar* grad = plane.grad_output + od * s.d + row * s.h;
    const std::int32_t* index = plane.indices + od * t.d + row * t.h;
    for (std::int64_t first = 0; first < rows * columns; first += kRun) {
      const std::int64_t n = std::min(kRun, rows * columns - first);
      if (!AddRun<bands, Cell>(aim, grad + first * s.w, s.w, index + first * t.w, t.w, n, scratch,
                               put)) {
        return false;
      }
      after(n);
    }
  }
  return true;
}

/// Rounds n sums to `to` and clears them; of rounded results the number of those that are not 0.
template <class Scalar>
HWY_INLINE std::int64_t StoreCells(float* sums, std::int64_t n, Scalar* to, bool streaming) {
  take_sums(to, sums, static_cast<std::size_t>(n), streaming);
  return 0;
}
template <class Scalar>
HWY_INLINE std::int64_t StoreCells(std::uint16_t* finished, std::int64_t n, Scalar* to,
                                   bool streaming) {
  return move_finished(finished, n, to, streaming);
}

/// The same for positions [first, first + n) of slice d of gradInput.
template <class Cell, class Scalar>
std::int64_t StorePositions(const Geometry& g, const Plan& plan, Scalar* grad_input, Cell* cells,
                            std::int64_t d, std::int64_t first, std::int64_t n) {
  const Strides5& s = g.grad_input;
  const std::int64_t w = g.in.w;
  if (s.w == 1 && (s.h == w || g.in.h == 1) && (s.d == plan.slice || first + n <= plan.slice)) {
    return StoreCells(cells, n, grad_input + d * s.d + first, plan.streaming);
  }
  std::int64_t found = 0;
  for (const std::int64_t end = first + n; first < end;) {
    const std::int64_t row = first / w, column = first % w;
    const std::int64_t count = std::min(end - first, w - column);
    Scalar* to = grad_input + (d + row / g.in.h) * s.d + row % g.in.h * s.h + column * s.w;
    if (s.w == 1) {
      if (plan.streaming) prefetch_run(to, count);
      found += StoreCells(cells, count, to, false);
    } else if constexpr (std::is_same_v<Cell, float>) {
      store_row(Row<Scalar>{to, count, s.w, 1}, cells);
      std::fill_n(cells, count, 0.0f);
    }
    cells += count, first += count;
  }
  return found;
}

/// Where a box is: its positions are counted from its first slice on, `size` a slice, and are
/// in the ring at that number modulo the ring's extent.
template <class Cell, class Scalar>
struct Ring {
  const Geometry& g;
  const Plan& plan;
  Scalar* grad_input;
  Cell* cells;
  std::int64_t first_slice, first, size;  ///< of the box: slice, position of the slice, band
  std::int64_t extent;
  std::int64_t stored = 0;
  std::int64_t found = 0;  ///< rounded results that were not 0

  void StoreUntil(std::int64_t end) {
    const bool joined = size == plan.slice && g.grad_input.d == plan.slice;
    while (stored < end) {
      const std::int64_t at = stored % extent, in_slice = stored % size;
      std::int64_t n = std::min(end - stored, extent - at);
      if (!joined) n = std::min(n, size - in_slice);
      found += StorePositions(g, plan, grad_input, cells + at, first_slice + stored / size,
                              first + in_slice, n);
      stored += n;
    }
  }

  /// Stores some `count` positions before `limit`, to the end of a cache line of gradInput.
  void StoreSome(std::int64_t count, std::int64_t limit) {
    std::int64_t end = stored + count;
    if (end < limit) {
      const Scalar* to =
          grad_input + (first_slice + end / size) * g.grad_input.d + first + end % size;
      end -= static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % 64 / sizeof(Scalar));
    }
    StoreUntil(std::min(end, limit));
  }
};

template <bool bands, class Cell, class Scalar>
bool WriteBox(const Geometry& g, const Plan& plan, const IndexedPlane<Scalar>& plane,
              const Scratch& scratch, std::int64_t band, Span d) {
  const std::int64_t first = band * plan.band, size = std::min(plan.band, plan.slice - first);
  auto* cells = reinterpret_cast<Cell*>(scratch.ring);
  Ring<Cell, Scalar> ring{g,     plan, plane.grad_input, cells, d.first,
                          first, size, plan.slots * size};
  const auto dump = static_cast<std::uint32_t>(ring.extent);
  std::memset(cells, 0, static_cast<std::size_t>(ring.extent + kDumpSlots) * sizeof(Cell));
  std::int64_t put = 0;
  if (plan.outputs > 0) {
    const Span od = plan.d.reaching(d);
    const Span oh = plan.h.reaching({first / g.in.w, (first + size) / g.in.w});
    const std::int64_t outputs = std::max<std::int64_t>(1, (oh.last - oh.first) * g.out.w);
    for (std::int64_t o = od.first; o < od.last; ++o) {
      const Span window = plan.d.window(o);
      const Span own{std::max(window.first, d.first), std::min(window.last, d.last)};
      ring.StoreUntil((own.last - d.first - plan.slots) * size);
      const std::int64_t finished = (own.first - d.first) * size;
      // With bands the first legal slice has a slot too, even if it is another box's.
      const std::int64_t slot =
          ((bands ? window.first : own.first) - d.first + plan.slots) % plan.slots;
      Aim aim{};
      aim.legal_first = static_cast<std::uint32_t>(window.first * plan.slice);
      aim.legal_size = static_cast<std::uint32_t>((window.last - window.first) * plan.slice);
      aim.own_first = static_cast<std::uint32_t>(own.first * plan.slice);
      aim.own_size = static_cast<std::uint32_t>((own.last - own.first) * plan.slice);
      aim.base = static_cast<std::uint32_t>(slot * size);
      aim.wrap_at = static_cast<std::uint32_t>((plan.slots - slot) * plan.slice);
      aim.wrap = dump;
      aim.dump = dump;
      aim.all_own = !bands && own.first == window.first && own.last == window.last;
      aim.slice = static_cast<std::uint32_t>(plan.slice);
      aim.band_first = static_cast<std::uint32_t>(first);
      aim.band_size = static_cast<std::uint32_t>(size);
      aim.slices = static_cast<int>(window.last - window.first);
      aim.slices_to_wrap = static_cast<int>(plan.slots - slot);
      // A few stores after every run of terms: bursts of buffered stores stall.
      const std::int64_t per_output = (finished - ring.stored) / outputs + 1;
      const auto after = [&](std::int64_t n) { ring.StoreSome(n * per_output, finished); };
      if (!AddOutputs<bands, Cell>(g, plan, aim, plane, scratch, o, oh, put, after)) return false;
    }
  }
  ring.StoreUntil((d.last - d.first) * size);
  return ring.found == put;  // fewer: terms met after all, because an index is another window's
}

template <class Scalar>
bool WriteBoxOf(const Geometry& g, const Plan& plan, const IndexedPlane<Scalar>& plane,
                const Scratch& scratch, std::int64_t band, Span d) {
  const auto write = [&](auto cell) HWY_ATTR {
    using Cell = decltype(cell);
    return plan.bands > 1 ? WriteBox<true, Cell>(g, plan, plane, scratch, band, d)
                          : WriteBox<false, Cell>(g, plan, plane, scratch, band, d);
  };
  if constexpr (sizeof(Scalar) == sizeof(std::uint16_t)) {
    if (plan.finished) return write(std::uint16_t{});
  }
  return write(float{});
}

}  // namespace

bool write_box(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t plane,
               const Scratch& scratch, std::int64_t band, Span d) {
  return visit_narrow(plan.g.element, [&](auto type) HWY_ATTR {
    const IndexedPlane<typename decltype(type)::type> of(plan.g, b, plane);
    return WriteBoxOf(plan.g, plan, of, scratch, band, d);
  });
}

}  // namespace gradproof::kernels::index_pool::scatter_ring::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::index_pool::scatter_ring {
GRADPROOF_VARIANTS(write_box);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_box, set); }

}  // namespace gradproof::kernels::index_pool::scatter_ring
#endif  // HWY_ONCE
