// One tile of scatter_lines.h, compiled for every instruction set.
#include "opt/kernels/index_pool/scatter_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "opt/kernels/index_pool/indexed_plane.h"
#include "opt/kernels/read_once.h"
#include "opt/kernels/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/index_pool/scatter_lines_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/vector/sink-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::index_pool::scatter_lines::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool3dBackwardGeometry;
using Buffers = MaxPool3dBackwardBuffers;

template <class Scalar>
class Tile {
 public:
  Tile(const Geometry& g, const Plan& plan, const Buffers& b, const Scratch& scratch,
       std::int64_t tile)
      : g_(g), plan_(plan), b_(b), scratch_(scratch) {
    first_plane_ = tile / plan.depths * plan.group;
    planes_ = std::min(plan.group, plan.planes - first_plane_);
    const std::int64_t first = tile % plan.depths * plan.depth;
    d_ = {first, std::min(g.in.d, first + plan.depth)};
    od_ = plan.depths == 1 ? Span{0, g.out.d} : plan.d.reaching(d_);
    size_ = (d_.last - d_.first) * plan.slice;
    to_ = IndexedPlane<Scalar>(g, b, first_plane_).grad_input + first * plan.slice;
    lead_ =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to_) % kLine / sizeof(Scalar));
    lines_ = (lead_ + planes_ * size_ - 1) / kScalars + 1;
  }

  bool write() {
    const auto words = (lines_ - 1) / kMarks + 1;
    std::fill_n(scratch_.marks, words, std::uint64_t{0});
    if (!mark()) return false;
    const auto most = static_cast<std::uint32_t>(plan_.most_marks);
    std::uint32_t rank = 0;
    for (std::int64_t i = 0; i < words; ++i) {
      scratch_.ranks[i] = rank;
      rank += static_cast<std::uint32_t>(std::popcount(read_once(scratch_.marks[i])));
    }
    rank = std::min(rank, most);
    std::memset(scratch_.sums, 0, rank * kLine / sizeof(Scalar) * sizeof(float));
    add();
    if (plan_.streaming) {
      write_lines<true>(words);
    } else {
      write_lines<false>(words);
    }
    return true;
  }

 private:
  static constexpr std::int64_t kScalars = kLine / sizeof(Scalar);  ///< of a line

  /// Outputs that follow each other at one stride, and where they look.
  struct Run {
    const Scalar* grad;
    const std::int32_t* index;
    std::int64_t n;
    std::uint32_t legal_first, legal_size;  ///< positions of the plane; other indices are out of it
    std::uint32_t own_first, own_size;      ///< those of the tile
    std::uint32_t place;                    ///< of the first of these, from the first line on
  };

  /// Ends where f(run) is false, and is then false.
  template <class F>
  bool for_each_run(const F& f) const {
    const Strides5 &s = g_.grad_output, &t = g_.indices;
    const Axes3& out = g_.out;
    const bool rows_follow = out.h == 1 || (s.h == out.w * s.w && t.h == out.w * t.w);
    const bool slices_follow = rows_follow && plan_.depths == 1 && s.d == out.h * out.w * s.w &&
                               t.d == out.h * out.w * t.w;
    const std::int64_t rows = rows_follow ? out.h : 1, slices = slices_follow ? out.d : 1;
    Run run;
    run.n = slices * rows * out.w;
    run.legal_first = 0;
    run.legal_size = static_cast<std::uint32_t>(plan_.volume);
    run.own_first = static_cast<std::uint32_t>(d_.first * plan_.slice);
    run.own_size = static_cast<std::uint32_t>(size_);
    std::int64_t n = first_plane_ / g_.c, c = first_plane_ % g_.c;
    for (std::int64_t plane = 0; plane < planes_; ++plane) {
      run.place = static_cast<std::uint32_t>(lead_ + plane * size_);
      const Scalar* grad = static_cast<const Scalar*>(b_.grad_output) + n * s.n + c * s.c;
      const std::int32_t* index = b_.indices + n * t.n + c * t.c;
      for (std::int64_t d = od_.first; d < od_.last; d += slices) {
        if (plan_.depths > 1) {
          const Span window = plan_.d.window(d);
          run.legal_first = static_cast<std::uint32_t>(window.first * plan_.slice);
          run.legal_size = static_cast<std::uint32_t>((window.last - window.first) * plan_.slice);
        }
        for (std::int64_t h = 0; h < out.h; h += rows) {
          run.grad = grad + d * s.d + h * s.h;
          run.index = index + d * t.d + h * t.h;
          if (!f(run)) return false;
        }
      }
      if (++c == g_.c) c = 0, ++n;
    }
    return true;
  }

  bool mark() const {
    // Copies: the compiler must assume that a store to marks or sums changes the members.
    std::uint64_t* const marks = scratch_.marks;
    const std::int64_t stride = g_.indices.w;
    return for_each_run([=](Run run) {
      for (std::int64_t i = 0; i < run.n; ++i) {
        const auto index = read_index(run.index + i * stride);
        if (index - run.legal_first >= run.legal_size) return false;
        const std::uint32_t own = index - run.own_first;
        if (own >= run.own_size) continue;
        const auto line = static_cast<std::uint32_t>((own + run.place) / kScalars);
        marks[line / kMarks] |= std::uint64_t{1} << line % kMarks;
      }
      return true;
    });
  }

  void add() const {
    const std::uint64_t* const marks = scratch_.marks;
    const std::uint32_t* const ranks = scratch_.ranks;
    float* const sums = scratch_.sums;
    const std::int64_t stride = g_.indices.w, step = g_.grad_output.w;
    const auto most = static_cast<std::uint32_t>(plan_.most_marks);
    for_each_run([=](Run run) {
      for (std::int64_t i = 0; i < run.n; ++i) {
        const std::uint32_t own = read_index(run.index + i * stride) - run.own_first;
        if (own >= run.own_size) continue;
        const std::uint32_t at = own + run.place;
        const auto line = static_cast<std::uint32_t>(at / kScalars);
        const std::uint64_t before = (std::uint64_t{1} << line % kMarks) - 1;
        const auto marked =
            static_cast<std::uint32_t>(std::popcount(marks[line / kMarks] & before));
        const std::uint32_t rank = std::min(read_once(ranks[line / kMarks]) + marked, most);
        sums[rank * kScalars + at % kScalars] += widen(run.grad[i * step]);
      }
      return true;
    });
  }

  /// The tile's part of a line.
  Span part(std::int64_t line) const {
    return {std::max<std::int64_t>(line * kScalars - lead_, 0),
            std::min((line + 1) * kScalars - lead_, planes_ * size_)};
  }

  template <bool stream>
  void write_lines(std::int64_t words) const {
    const float* sums = scratch_.sums;
    std::int64_t written = 0, left = plan_.most_marks;
    for (std::int64_t word = 0; word < words; ++word) {
      for (std::uint64_t marks = read_once(scratch_.marks[word]); marks != 0; marks &= marks - 1) {
        const std::int64_t line = word * kMarks + std::countr_zero(marks);
        // perhaps uncovered: race
        if (line >= lines_ || left-- == 0) return write_zeros<stream>(written, lines_);
        write_zeros<stream>(written, line);
        write_line<stream>(line, sums);
        sums += kScalars;
        written = line + 1;
      }
    }
    write_zeros<stream>(written, lines_);
  }

  template <bool stream>
  void write_line(std::int64_t line, const float* sums) const {
    const Span p = part(line);
    if (p.last - p.first == kScalars) return write_sum_line<stream>(to_ + p.first, sums);
    Scalar whole[kScalars];
    write_sum_line<false>(whole, sums);
    std::memcpy(to_ + p.first, whole + (p.first + lead_ - line * kScalars),
                static_cast<std::size_t>(p.last - p.first) * sizeof(Scalar));
  }

  template <bool stream>
  void write_zeros(std::int64_t line, std::int64_t end) const {
    if (line >= end) return;
    if (!stream) return clear({part(line).first, part(end - 1).last});
    if (line == 0 && lead_ > 0) clear(part(line++));
    if (line < end && part(end - 1).last < end * kScalars - lead_) clear(part(--end));
    stream_zero_lines(to_ + (line * kScalars - lead_),
                      static_cast<std::size_t>((end - line) * kScalars));
  }

  void clear(Span positions) const {
    std::memset(static_cast<void*>(to_ + positions.first), 0,
                static_cast<std::size_t>(positions.last - positions.first) * sizeof(Scalar));
  }

  const Geometry& g_;
  const Plan& plan_;
  const Buffers& b_;
  const Scratch& scratch_;
  std::int64_t first_plane_, planes_;
  Span d_, od_;        ///< slices of the tile, and the outputs that may reach them
  std::int64_t size_;  ///< the tile's positions in a plane
  Scalar* to_;
  std::int64_t lead_, lines_;  ///< positions of the first line before the tile's; lines in all
};

template <class Scalar>
bool WriteTile(const Geometry& g, const Plan& plan, const Buffers& b, std::int64_t tile,
               const Scratch& scratch) {
  return Tile<Scalar>(g, plan, b, scratch, tile).write();
}

}  // namespace

bool write_tile(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t tile,
                const Scratch& scratch) {
  return visit_narrow(plan.g.element, [&](auto type) HWY_ATTR {
    return WriteTile<typename decltype(type)::type>(plan.g, plan, b, tile, scratch);
  });
}

}  // namespace gradproof::kernels::index_pool::scatter_lines::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::index_pool::scatter_lines {
GRADPROOF_VARIANTS(write_tile);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_tile, set); }

}  // namespace gradproof::kernels::index_pool::scatter_lines
#endif  // HWY_ONCE
