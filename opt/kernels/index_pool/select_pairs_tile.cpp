// One tile of select_pairs.h, compiled for every instruction set.
#include "opt/kernels/index_pool/select_pairs.h"

#include <algorithm>

#include "opt/kernels/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/index_pool/select_pairs_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/index_pool/select_pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::index_pool::select_pairs::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool3dBackwardGeometry;

template <class Scalar>
class Slices {
 public:
  Slices(const Plan& plan, const IndexedPlane<Scalar>& plane, std::byte* staged)
      : g_(plan.g),
        plan_(plan),
        plane_(plane),
        staged_(staged),
        direct_(plan.piece > 0 && whole_lines(plane.grad_input, 0)) {
    for (std::int64_t kd = 0; kd < kMostSlices; ++kd) {
      rows_[kd].start(staged + kd * plan.slice_bytes, plan.streaming);
    }
  }

  /// Writes slices d. Returns false if an index of a window that reaches them is outside its
  /// window.
  bool write(Span d) {
    std::int64_t windows = 0;
    for (std::int64_t first = d.first; first < d.last; first += g_.stride.d) {
      const std::int64_t od = first / g_.stride.d;
      std::int64_t slice = first;
      if (od < g_.out.d) {
        for (std::int64_t h = 0; h < g_.in.h; h += plan_.rows * g_.stride.h) write_windows(od, h);
        windows += g_.out.h * g_.out.w;
        slice += g_.kernel.d;
      }
      for (; slice < std::min(d.last, first + g_.stride.d); ++slice) write_zeros(slice);
    }
    for (StagedRows<Scalar>& rows : rows_) rows.finish();
    return found_ == windows;
  }

 private:
  /// Slice d, which no window reaches.
  void write_zeros(std::int64_t d) {
    Scalar* to = plane_.grad_input + d * g_.grad_input.d;
    for (std::int64_t h = 0; h < g_.in.h; ++h, to += g_.grad_input.h) {
      std::fill_n(rows_[0].append(to, g_.in.w), g_.in.w, Scalar{});
      rows_[0].settle();
    }
    rows_[0].finish();  // other rows are staged in the same memory
  }

  /// The slices that the windows at depth od reach: rows of a block, from h on.
  void write_windows(std::int64_t od, std::int64_t h) {
    const std::int64_t w = g_.in.w, d = od * g_.stride.d, oh = h / g_.stride.h;
    const std::int64_t n = std::min(g_.in.h - h, plan_.rows * g_.stride.h);
    const std::int64_t windows = std::clamp<std::int64_t>(g_.out.h - oh, 0, plan_.rows);
    const bool in_turn = direct_ && plan_.streaming && plan_.in_turn;
    Rows<Scalar> rows;
    for (std::int64_t kd = 0; kd < g_.kernel.d; ++kd) {
      Scalar* row = grad_input(d + kd, h);
      if (!direct_) row = plan_.joined ? rows_[kd].append(row, n * w) : staged(kd);
      for (std::int64_t kh = 0; kh < g_.kernel.h; ++kh, row += w) {
        rows.place[rows.count] = static_cast<std::uint32_t>(kd * plan_.slice + kh * w);
        rows.to[rows.count++] = row;
      }
      if (!in_turn && kd + 1 < g_.kernel.d) continue;
      select_rows(rows, od, oh, windows);
      rows.count = 0;
    }
    if (direct_) return;
    for (std::int64_t kd = 0; kd < g_.kernel.d; ++kd) {
      Scalar* row = rows.to[kd * g_.kernel.h];
      if (!plan_.tiled) fill_rest(row, n, windows);
      if (plan_.joined) {
        rows_[kd].settle();
      } else {
        copy_rows(row, n, grad_input(d + kd, h));
      }
    }
  }

  /// `n` rows of windows, from row oh of depth od on.
  void select_rows(const Rows<Scalar>& to, std::int64_t od, std::int64_t oh, std::int64_t n) {
    const Strides5 &s = g_.grad_output, &t = g_.indices;
    const Scalar* grad = plane_.grad_output + od * s.d + oh * s.h;
    const std::int32_t* index = plane_.indices + od * t.d + oh * t.h;
    const auto position =
        static_cast<std::uint32_t>(od * g_.stride.d * plan_.slice + oh * g_.stride.h * g_.in.w);
    const int piece = direct_ && plan_.streaming ? plan_.piece : 0;
    const auto with = [&](auto known) HWY_ATTR {
      constexpr int kKnown = decltype(known)::value;
      if (piece == 32) return SelectRows<32, kKnown>(g_, to, index, grad, position, n);
      if (piece == 16) return SelectRows<16, kKnown>(g_, to, index, grad, position, n);
      return SelectRows<0, kKnown>(g_, to, index, grad, position, n);
    };
    // Windows of 2 × 2 and 2 × 2 × 2: a loop of known length takes 0.8 of the time in 16 bits.
    if (to.count == 2) {
      found_ += with(std::integral_constant<int, 2>());
    } else if (to.count == 4) {
      found_ += with(std::integral_constant<int, 4>());
    } else {
      found_ += with(std::integral_constant<int, 0>());
    }
  }

  /// Zeros where no window is in the first n staged rows of a slice, of which the first ones belong
  /// to `windows` rows of windows.
  void fill_rest(Scalar* row, std::int64_t n, std::int64_t windows) const {
    for (std::int64_t h = 0; h < n; ++h, row += g_.in.w) {
      const bool reached = h / g_.stride.h < windows && h % g_.stride.h < g_.kernel.h;
      std::fill(row + (reached ? 2 * g_.out.w : 0), row + g_.in.w, Scalar{});
    }
  }

  /// Staged rows to gradInput, where there are gaps between them.
  void copy_rows(const Scalar* row, std::int64_t n, Scalar* to) const {
    for (std::int64_t h = 0; h < n; ++h, row += g_.in.w, to += g_.grad_input.h) {
      if (!plan_.streaming) prefetch_run(to, g_.in.w);
      write_copy(to, row, static_cast<std::size_t>(g_.in.w), plan_.streaming);
    }
  }

  Scalar* grad_input(std::int64_t d, std::int64_t h) const {
    return plane_.grad_input + d * g_.grad_input.d + h * g_.grad_input.h;
  }
  Scalar* staged(std::int64_t kd) const {
    return reinterpret_cast<Scalar*>(staged_ + kd * plan_.slice_bytes);
  }

  const Geometry& g_;
  const Plan& plan_;
  const IndexedPlane<Scalar>& plane_;
  std::byte* staged_;
  bool direct_;                           ///< rows are not staged
  std::int64_t found_ = 0;                ///< windows whose index is in them
  StagedRows<Scalar> rows_[kMostSlices];  ///< of each slice of a window
};

template <class Scalar>
bool WriteSlices(const Plan& plan, const IndexedPlane<Scalar>& plane, Span d, std::byte* staged) {
  return Slices<Scalar>(plan, plane, staged).write(d);
}

}  // namespace

bool write_slices(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t plane, Span d,
                  std::byte* staged) {
  return visit_narrow(plan.g.element, [&](auto type) HWY_ATTR {
    const IndexedPlane<typename decltype(type)::type> of(plan.g, b, plane);
    return WriteSlices(plan, of, d, staged);
  });
}

}  // namespace gradproof::kernels::index_pool::select_pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::index_pool::select_pairs {
GRADPROOF_VARIANTS(write_slices);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_slices, set); }

}  // namespace gradproof::kernels::index_pool::select_pairs
#endif  // HWY_ONCE
