// The kernels of the 3-D pools' gradients where their paths part: columns in pairs, bands, rings
// that wrap, small planes, planes that are split, streamed outputs, and indices outside their
// windows.
#include <gtest/gtest.h>

#include <string_view>

#include "opt/base/declined_runs.h"
#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/window_axis.h"
#include "tests/kernels/run_kernel.h"
#include "tests/kernels/tensor.h"

namespace gradproof::test {
namespace {

using kernels::Axes3;
using kernels::Span;
using kernels::WindowAxis;

struct Pool {
  std::int64_t n, c;
  Axes3 in, kernel, stride, padding;  ///< kernel 0: adaptive, `stride` is the pooled extent
  bool ceil = false;
  bool adaptive() const { return kernel.d == 0; }
  WindowAxis axis(std::int64_t Axes3::*of) const {
    if (adaptive()) return {in.*of, stride.*of, true};
    const std::int64_t more = ceil ? stride.*of - 1 : 0;
    std::int64_t out = (in.*of + 2 * (padding.*of) - kernel.*of + more) / (stride.*of) + 1;
    if ((out - 1) * (stride.*of) >= in.*of + padding.*of) --out;
    return {in.*of, out, false, kernel.*of, stride.*of, padding.*of};
  }
};

/// All in their windows, one or all of them anywhere in the plane, or two outside the plane.
enum class Indices { in_windows, one_anywhere, anywhere, two_outside };

class Problem {
 public:
  Problem(Element e, const Pool& pool, Layout layout, Indices indices, unsigned seed)
      : Problem(e, pool, layout, layout, indices, seed) {}
  Problem(Element e, const Pool& pool, Layout layout, Layout result, Indices indices, unsigned seed)
      : rng_(seed),
        d_(pool.axis(&Axes3::d)),
        h_(pool.axis(&Axes3::h)),
        w_(pool.axis(&Axes3::w)),
        grad_output_(e, {pool.n, pool.c, d_.out, h_.out, w_.out}, layout, rng_),
        indices_(Element::f32, grad_output_.shape(), layout, rng_),
        grad_input_(e, {pool.n, pool.c, pool.in.d, pool.in.h, pool.in.w}, result, rng_) {
    geometry_ = {.element = e,
                 .n = pool.n,
                 .c = pool.c,
                 .in = pool.in,
                 .out = {d_.out, h_.out, w_.out},
                 .grad_output = grad_output_.strides5(),
                 .indices = indices_.strides5(),
                 .grad_input = grad_input_.strides5(),
                 .windows = !pool.adaptive(),
                 .kernel = pool.kernel,
                 .stride = pool.stride,
                 .padding = pool.padding,
                 .dilation = {},
                 .drop = false};
    fill(indices);
    in_windows_ = indices == Indices::in_windows;
  }

  auto table() const {
    return geometry_.windows ? kernels::max_pool3d_with_argmax_backward()
                             : kernels::adaptive_max_pool3d_backward();
  }
  /// Contributions whose index is outside its window are left out.
  Problem& drop() {
    geometry_.drop = true;
    return *this;
  }
  /// gradInput begins where a cache line does.
  Problem& begin_line() {
    grad_input_.begin_line();
    return *this;
  }
  bool supported(std::string_view kernel) const { return supports(table(), kernel, geometry_); }

  kernels::Outcome run() {
    const kernels::MaxPool3dBackwardBuffers buffers{grad_output_.data(), index(0),
                                                    grad_input_.data()};
    // First, while gradInput holds NaN, which stays where a kernel does not write.
    const kernels::Outcome outcome = run_everywhere(
        table(), geometry_, buffers, {grad_input_.bytes().data()}, {grad_input_.bytes().size()});
    EXPECT_TRUE(grad_input_.gaps_untouched());
    for (const auto& kernel : table()) {
      if (!in_windows_ || !kernel.supports(geometry_)) continue;
      EXPECT_TRUE(serves(kernel, geometry_, buffers)) << kernel.name << " declined";
    }
    return outcome;
  }

 private:
  std::int32_t* index(std::int64_t o) {
    return reinterpret_cast<std::int32_t*>(indices_.data()) + indices_.at(o);
  }

  /// Few different positions a window, so that sums have several terms; values whose sums round.
  void fill(Indices indices) {
    const std::int64_t count = grad_output_.count(), volume = d_.in * h_.in * w_.in;
    const std::int64_t outlier = pick(rng_, 0, count - 1);
    const auto one_of = [&](Span s) {
      return pick(rng_, s.first, std::min(s.last, s.first + 2) - 1);
    };
    for (std::int64_t o = 0; o < count; ++o) {
      const std::int64_t in_plane = o % (d_.out * h_.out * w_.out);
      const std::int64_t d = one_of(d_.window(in_plane / (h_.out * w_.out)));
      const std::int64_t h = one_of(h_.window(in_plane / w_.out % h_.out));
      const std::int64_t w = one_of(w_.window(in_plane % w_.out));
      std::int64_t at = (d * h_.in + h) * w_.in + w;
      if ((indices == Indices::one_anywhere && o == outlier) || indices == Indices::anywhere) {
        at = pick(rng_, 0, volume - 1);
      }
      if (indices == Indices::two_outside && (o == outlier || o == count - 1))
        at = volume + (o != outlier);
      *index(o) = static_cast<std::int32_t>(at);
      grad_output_.set(o, std::ldexp(static_cast<double>(pick(rng_, -999, 999)),
                                     static_cast<int>(pick(rng_, -30, 3))));
    }
    grad_output_.set(pick(rng_, 0, count - 1), std::numeric_limits<double>::infinity());
    grad_output_.set(pick(rng_, 0, count - 1), std::nan(""));
    grad_output_.set(pick(rng_, 0, count - 1), -0.0);
  }

  Rng rng_;
  WindowAxis d_, h_, w_;
  Tensor grad_output_, indices_, grad_input_;
  kernels::MaxPool3dBackwardGeometry geometry_;
  bool in_windows_ = true;
};

constexpr Element kElements[] = {Element::f32, Element::f16, Element::bf16};

constexpr Pool kPools[] = {
    {2, 3, {9, 20, 21}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},
    {1, 2, {12, 23, 25}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}},
    {1, 2, {9, 20, 21}, {3, 2, 3}, {1, 1, 1}, {1, 1, 1}},
    {2, 2, {5, 8, 75}, {1, 2, 2}, {1, 2, 2}, {0, 0, 0}},
    {1, 3, {7, 9, 11}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}, true},    // windows that run over an end
    {2, 1, {13, 14, 66}, {3, 2, 2}, {4, 5, 2}, {1, 1, 0}, true},  // and rows between windows
    {40, 1, {2, 4, 6}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},          // rows shorter than a vector
    {1, 4, {40, 50, 72}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},        // streamed in every type
    {1, 4, {40, 48, 60}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},   // rows of 15 times 16 bytes, FLOAT
    {1, 5, {40, 24, 120}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},  // and in 16 bits
    {1, 1, {6, 130, 130}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}},  // bands
    {1, 2, {5, 131, 130}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},  // bands of rounded results
    {1, 1, {4, 3, 6001}, {2, 2, 3}, {1, 1, 2}, {1, 1, 1}},   // long rows
    {2, 2, {25, 9, 7}, {2, 1, 1}, {7, 2, 3}, {0, 0, 0}},     // gaps between windows
    {1, 2, {9, 14, 36}, {1, 1, 2}, {3, 3, 2}, {0, 0, 0}},    // and pairs of columns
    {1, 2, {6, 12, 24}, {2, 3, 2}, {2, 3, 2}, {0, 0, 0}},  // pairs in rows of whole pieces of lines
    {3, 40, {2, 3, 5}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}},   // planes smaller than a line or two
    {1, 4, {40, 60, 60}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}},  // streamed in every type; two chunks
    {1, 2, {17, 19, 18}, {0, 0, 0}, {5, 4, 7}, {}},
    {1, 1, {4, 40, 41}, {0, 0, 0}, {9, 50, 10}, {}},  // more windows than positions
};

TEST(MaxPool3dKernels, AgreeOnEveryPath) {
  unsigned seed = 1;
  for (const Pool& pool : kPools) {
    for (const Element e : kElements) {
      Problem problem(e, pool, Layout::contiguous, Indices::in_windows, ++seed);
      EXPECT_TRUE(problem.run().done());
      EXPECT_TRUE(problem.begin_line().run().done());  // whole lines are streamed
    }
  }
}

TEST(MaxPool3dKernels, AgreeOnViews) {
  unsigned seed = 100;
  for (const Pool& pool : kPools) {
    if (pool.in.d == 40) continue;  // takes long
    const Element e = kElements[seed % 3];
    for (const Layout layout :
         {Layout::permuted_with_gaps, Layout::row_gaps, Layout::channel_last}) {
      EXPECT_TRUE(Problem(e, pool, layout, Indices::in_windows, ++seed).run().done());
    }
  }
}

TEST(MaxPool3dKernels, ViewsWhoseColumnsLieApartAreCopied) {
  const Pool pools[] = {
      {2, 70, {4, 12, 16}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},   // channels that fill no line
      {40, 64, {2, 8, 16}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},   // several samples at a time
      {2, 130, {6, 30, 31}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}},  // several parts of a sample
      {3, 3, {5, 37, 41}, {0, 0, 0}, {3, 4, 5}, {0, 0, 0}},    // adaptive
  };
  unsigned seed = 400;
  for (const Pool& pool : pools) {
    const Element e = kElements[seed % 3];
    for (const Layout read : {Layout::contiguous, Layout::permuted_with_gaps}) {
      for (const Indices indices : {Indices::in_windows, Indices::anywhere, Indices::two_outside}) {
        for (const bool swapped : {false, true}) {
          const Layout last = Layout::channel_last;
          Problem problem(e, pool, swapped ? last : read, swapped ? read : last, indices, ++seed);
          EXPECT_TRUE(problem.supported("copied planes"));
          EXPECT_EQ(problem.run().done(), indices != Indices::two_outside);
        }
      }
    }
  }
}

TEST(MaxPool3dKernels, KernelsThatDeclineAreCounted) {
  const Pool pool{2, 32, {7, 9, 11}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}};
  const auto declined = [&](Indices indices) {
    const std::uint64_t before = declined_runs.load();
    (void)Problem(Element::f32, pool, Layout::channel_last, indices, 470).run();
    return declined_runs.load() - before;
  };
  EXPECT_EQ(declined(Indices::in_windows), 0);
  EXPECT_GT(declined(Indices::anywhere), 0);
}

TEST(MaxPool3dKernels, ChannelsSideBySideAreWalkedTogether) {
  const Pool pools[] = {
      {2, 64, {4, 12, 16}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},
      {1, 96, {8, 33, 64}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},       // streamed in every type
      {1, 32, {7, 41, 40}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}},       // windows that two tiles share
      {2, 32, {7, 9, 11}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}, true},  // that run over an end
      {1, 32, {25, 9, 7}, {2, 1, 1}, {7, 2, 3}, {0, 0, 0}},        // and gaps between them
      {2, 32, {17, 19, 18}, {0, 0, 0}, {5, 4, 7}, {}},             // adaptive
      {1, 32, {4, 40, 41}, {0, 0, 0}, {9, 50, 10}, {}},            // more windows than positions
      {2, 48, {4, 12, 16}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},       // a last group of 16 channels
      {1, 16, {1, 90, 91}, {1, 3, 3}, {1, 2, 2}, {0, 1, 1}},       // rows of a slice
      {1, 48, {3, 90, 120}, {3, 5, 5}, {1, 1, 1}, {1, 2, 2}},      // whose windows overlap
      {1, 16, {2, 95, 91}, {0, 0, 0}, {2, 40, 50}, {}},
  };
  unsigned seed = 450;
  for (const Pool& pool : pools) {
    for (const Element e : kElements) {
      const Indices kinds[] = {Indices::in_windows, Indices::one_anywhere, Indices::anywhere,
                               Indices::two_outside};
      for (const Indices some : {Indices::in_windows, kinds[seed % 4]}) {
        Problem problem(e, pool, Layout::channel_last, some, ++seed);
        EXPECT_TRUE(problem.supported("scatter channels"));
        EXPECT_EQ(problem.run().done(), some != Indices::two_outside);
      }
    }
  }
}

TEST(MaxPool3dKernels, ChannelsSideBySideHaveLimits) {
  // Terms are counted in 32 bits, and positions of a tile times channels have as many.
  const auto supported = [](const kernels::Axes2& out, std::int64_t width) {
    kernels::MaxPool3dBackwardGeometry g;
    g.c = 32, g.in = {1, 1, width}, g.out = {1, out.h, out.w};
    g.grad_input = {0, 1, 0, 0, 32}, g.grad_output = g.indices = {0, 1, 0, 0, 0};
    for (const auto& kernel : kernels::adaptive_max_pool3d_backward())
      if (kernel.name == std::string_view("scatter channels")) return kernel.supports(g);
    return false;
  };
  EXPECT_TRUE(supported({4096, 16384}, 2));
  EXPECT_FALSE(supported({4097, 16384}, 2));
  EXPECT_TRUE(supported({1, 1}, 8192));
  EXPECT_FALSE(supported({1, 1}, 8193));
}

TEST(MaxPool3dKernels, FewOutputsMarkTheirLines) {
  const Pool pools[] = {
      {3, 240, {4, 9, 11}, {0, 0, 0}, {1, 1, 1}, {}},  // several planes a tile
      {2, 65, {9, 30, 17}, {0, 0, 0}, {2, 1, 3}, {}},  // streamed; planes begin within lines
      {1, 20, {23, 24, 25}, {8, 9, 7}, {8, 9, 7}, {0, 0, 0}},
      {2, 1, {70, 40, 50}, {0, 0, 0}, {6, 5, 5}, {}},    // parts of a plane for several threads
      {1, 1, {300, 60, 62}, {0, 0, 0}, {40, 5, 6}, {}},  // and for one
      {1, 1, {90, 60, 62}, {40, 9, 9}, {9, 7, 8}, {20, 4, 4}},  // windows of more than 32 slices
  };
  unsigned seed = 500;
  for (const Pool& pool : pools) {
    for (const Element e : kElements) {
      for (const Layout layout : {Layout::contiguous, Layout::permuted_with_gaps}) {
        for (const Indices indices : {Indices::in_windows, Indices::one_anywhere, Indices::anywhere,
                                      Indices::two_outside}) {
          Problem problem(e, pool, layout, Layout::contiguous, indices, ++seed);
          EXPECT_TRUE(problem.supported("scatter lines"));
          EXPECT_EQ(problem.run().done(), indices != Indices::two_outside);
        }
      }
    }
  }
}

TEST(MaxPool3dKernels, SmallPlanesAreSummedWhole) {
  const Pool pools[] = {
      {2, 3, {9, 20, 21}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},    // no multiple of a vector
      {1, 2, {9, 20, 21}, {3, 2, 3}, {1, 1, 1}, {1, 1, 1}},    // several terms a position
      {3, 40, {2, 3, 5}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}},     // outputs that fill no vector
      {1, 1, {16, 32, 32}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},   // as large as it may be
      {2, 150, {9, 20, 21}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},  // streamed; planes begin within
                                                               // lines
      {4, 2, {5, 9, 8}, {0, 0, 0}, {3, 4, 5}, {}},
  };
  unsigned seed = 600;
  for (const Pool& pool : pools) {
    for (const Element e : kElements) {
      for (const Indices indices :
           {Indices::in_windows, Indices::one_anywhere, Indices::anywhere, Indices::two_outside}) {
        Problem problem(e, pool, Layout::contiguous, indices, ++seed);
        EXPECT_TRUE(problem.supported("scatter planes"));
        EXPECT_EQ(problem.run().done(), indices != Indices::two_outside);
      }
    }
  }
}

TEST(MaxPool3dKernels, FollowIndicesOutOfTheirWindows) {
  unsigned seed = 200;
  for (const Pool& pool : kPools) {
    for (const Element e : kElements) {
      for (const Indices indices : {Indices::one_anywhere, Indices::anywhere}) {
        EXPECT_TRUE(Problem(e, pool, Layout::contiguous, indices, ++seed).run().done());
      }
    }
  }
}

TEST(MaxPool3dKernels, LeaveOutIndicesOutsideTheirWindows) {
  unsigned seed = 700;
  for (const Pool& pool : kPools) {
    if (pool.in.d == 40) continue;  // takes long
    const Element e = kElements[seed % 3];
    for (const Indices indices :
         {Indices::in_windows, Indices::one_anywhere, Indices::anywhere, Indices::two_outside}) {
      Problem problem(e, pool, Layout::contiguous, indices, ++seed);
      EXPECT_TRUE(problem.drop().supported("window check"));
      EXPECT_TRUE(problem.run().done());
    }
  }
}

TEST(MaxPool3dKernels, ReportTheSameBadIndex) {
  unsigned seed = 300;
  for (const Pool& pool : kPools) {
    const Element e = kElements[seed % 3];
    EXPECT_FALSE(Problem(e, pool, Layout::contiguous, Indices::two_outside, ++seed).run().done());
  }
}

}  // namespace
}  // namespace gradproof::test
