// One tile of select_pairs.h, compiled for every instruction set.
#include "opt/kernels/index_pool/select_pairs.h"

#include "opt/kernels/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/index_pool/select_pairs_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/vector/column_pairs-inl.h"
#include "opt/kernels/vector/sink-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::index_pool::select_pairs::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool3dBackwardGeometry;

template <class Scalar>
class Slices {
 public:
  Slices(const Geometry& g, const Plan& plan, const IndexedPlane<Scalar>& plane,
         const Scratch& scratch)
      : g_(g),
        plan_(plan),
        plane_(plane),
        starts_(scratch.starts),
        keys_(reinterpret_cast<Key<Scalar>*>(scratch.keys)),
        terms_(reinterpret_cast<Key<Scalar>*>(scratch.terms)) {
    for (std::int64_t i = 0; i < kMostSlices; ++i) {
      rows_[i].start(scratch.staged + i * plan.slice_bytes, plan.streaming);
    }
  }

  bool write(Span d) {
    for (std::int64_t first = d.first; first < d.last;) {
      const std::int64_t od = first / g_.stride.d, kd = first % g_.stride.d;
      const bool in_window = od < g_.out.d && kd < g_.kernel.d;
      const std::int64_t n = in_window ? std::min(g_.kernel.d - kd, d.last - first) : 1;
      for (std::int64_t oh = 0; oh < parts(g_.in.h, g_.stride.h); oh += plan_.rows) {
        const std::int64_t rows =
            in_window ? std::clamp<std::int64_t>(g_.out.h - oh, 0, plan_.rows) : 0;
        if (!read_outputs(od, oh, rows)) return false;
        for (std::int64_t i = 0; i < n; ++i) write_rows(first + i, kd + i, oh, rows);
      }
      first += n;
    }
    for (StagedRows<Scalar>& rows : rows_) rows.finish();
    return true;
  }

 private:
  /// Keys and terms of `rows` rows of outputs.
  bool read_outputs(std::int64_t od, std::int64_t oh, std::int64_t rows) {
    const Strides5 &s = g_.grad_output, &t = g_.indices;
    const bool joined = s.h == g_.out.w && t.h == g_.out.w;
    const std::int64_t run = joined ? rows : 1, n = run * g_.out.w;
    for (std::int64_t row = 0; row < rows; row += run) {
      const std::int32_t* index = plane_.indices + od * t.d + (oh + row) * t.h;
      const Scalar* grad = plane_.grad_output + od * s.d + (oh + row) * s.h;
      const std::int64_t window = od * g_.stride.d * plan_.slice + oh * g_.stride.h * g_.in.w;
      if (!find_keys(index, row * g_.out.w, n, window)) return false;
      double_terms(grad, n, terms_ + 2 * row * g_.out.w);
    }
    return true;
  }

  /// The keys of columns of outputs [first, first + n) of the block: the key of the row where the
  /// window's maximum is, if the maximum is in that column, else an odd number. `window` is the
  /// position where the block's first window begins. Returns false if an index is outside its
  /// window.
  bool find_keys(const std::int32_t* from, std::int64_t first, std::int64_t n,
                 std::int64_t window) {
    const Words du;
    const std::uint32_t* starts = starts_ + first;
    auto farthest = hn::Zero(du);
    for_each_vector(
        from, n,
        [&](std::int64_t i) {  // beyond the last output: an index inside its window
          return static_cast<std::int32_t>(static_cast<std::uint32_t>(window) + starts[i]);
        },
        [&](const std::int32_t* at, std::int64_t i) HWY_ATTR {
          const auto index = hn::LoadU(du, reinterpret_cast<const std::uint32_t*>(at));
          no_second_read();
          const auto place =
              hn::Sub(hn::Sub(index, hn::Set(du, static_cast<std::uint32_t>(window))),
                      hn::LoadU(du, starts + i));
          auto key = hn::Set(du, kNoKey);
          std::uint32_t row_key = 0;
          for (std::int64_t d = 0; d < g_.kernel.d; ++d) {
            for (std::int64_t h = 0; h < g_.kernel.h; ++h, row_key += 2) {
              const auto row = static_cast<std::uint32_t>(d * plan_.slice + h * g_.in.w);
              const auto column = hn::Sub(place, hn::Set(du, row));
              key = hn::IfThenElse(hn::Lt(column, hn::Set(du, 2)),
                                   hn::Add(column, hn::Set(du, row_key)), key);
            }
          }
          farthest = hn::Max(farthest, key);
          store_pairs(keys_ + 2 * (first + i), key, hn::Sub(key, hn::Set(du, 1)));
        });
    return hn::GetLane(hn::MaxOfLanes(du, farthest)) != kNoKey;
  }

  /// gradInput rows of slice d, position kd of its windows, from the `rows` rows of outputs from oh
  /// on, and as many rows as go with plan.rows.
  void write_rows(std::int64_t d, std::int64_t kd, std::int64_t oh, std::int64_t rows) {
    const Strides5& s = g_.grad_input;
    StagedRows<Scalar>& staged = rows_[d % kMostSlices];
    const std::int64_t w = g_.in.w, first = oh * g_.stride.h;
    const std::int64_t last = std::min(g_.in.h, (oh + plan_.rows) * g_.stride.h);
    const bool joined = s.h == w;
    Scalar* to = plane_.grad_input + d * s.d + first * s.h;
    Scalar* row = joined ? staged.append(to, (last - first) * w) : nullptr;
    for (std::int64_t h = first, o = 0; h < last; ++o) {
      for (std::int64_t kh = 0; kh < g_.stride.h && h < last; ++kh, ++h) {
        if (!joined) row = staged.append(to + (h - first) * s.h, w);
        const bool reached = o < rows && kh < g_.kernel.h;
        const std::int64_t columns = reached ? 2 * g_.out.w : 0;
        const auto key = static_cast<Key<Scalar>>(2 * (kd * g_.kernel.h + kh));
        select_columns(row, columns, terms_ + o * columns, keys_ + o * columns,
                       [key](auto tag, auto keys)
                           HWY_ATTR { return hn::Eq(keys, hn::Set(tag, key)); });
        for (std::int64_t i = columns; i < w; ++i) row[i] = Scalar{};
        if (joined) {
          row += w;
        } else {
          staged.settle();
        }
      }
    }
    if (joined) staged.settle();
  }

  static constexpr std::uint32_t kNoKey = 0xffffffff;

  const Geometry& g_;
  const Plan& plan_;
  const IndexedPlane<Scalar>& plane_;
  const std::uint32_t* starts_;
  Key<Scalar>*keys_, *terms_;
  StagedRows<Scalar> rows_[kMostSlices];  ///< of slice d at d modulo as many
};

template <class Scalar>
bool WriteSlices(const Geometry& g, const Plan& plan, const IndexedPlane<Scalar>& plane, Span d,
                 const Scratch& scratch) {
  const bool done = Slices<Scalar>(g, plan, plane, scratch).write(d);
  end_streams(plan.streaming);
  return done;
}

}  // namespace

bool write_slices(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t plane, Span d,
                  const Scratch& scratch) {
  const auto write = [&](auto type) HWY_ATTR {
    const IndexedPlane<typename decltype(type)::type> of(plan.g, b, plane);
    return WriteSlices(plan.g, plan, of, d, scratch);
  };
  return plan.g.element == Element::f16 ? write(Type<Float16>{}) : write(Type<BFloat16>{});
}

}  // namespace gradproof::kernels::index_pool::select_pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::index_pool::select_pairs {
GRADPROOF_VARIANTS(write_slices);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_slices, set); }

}  // namespace gradproof::kernels::index_pool::select_pairs
#endif  // HWY_ONCE
