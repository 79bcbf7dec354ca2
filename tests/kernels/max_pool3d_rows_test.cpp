// The rows of the 3-D pools' gradients where their paths part: columns in pairs, bands, rings that
// wrap, small planes, planes that are split, streamed outputs, and indices that stray out of their
// windows.
#include <gtest/gtest.h>

#include <string_view>

#include "opt/kernels/max_pool3d_with_argmax_backward.h"
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

enum class Strays { none, one, many, outside };

class Problem {
 public:
  Problem(Element e, const Pool& pool, Layout layout, Strays strays, unsigned seed)
      : Problem(e, pool, layout, layout, strays, seed) {}
  Problem(Element e, const Pool& pool, Layout layout, Layout result, Strays strays, unsigned seed)
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
    fill(strays);
  }

  auto table() const {
    return geometry_.windows ? kernels::max_pool3d_with_argmax_backward()
                             : kernels::adaptive_max_pool3d_backward();
  }
  const char* row() const { return choose(table(), geometry_).name; }

  /// As the planner would if its table began with the row `first`.
  kernels::Outcome run(std::string_view first = {}) {
    auto rows = table();
    while (!first.empty() && rows.front().name != first) rows = rows.subspan(1);
    EXPECT_STRNE(choose(rows, geometry_).name, rows.back().name);
    const kernels::Outcome outcome = run_everywhere(
        rows, geometry_,
        kernels::MaxPool3dBackwardBuffers{grad_output_.data(), index(0), grad_input_.data()},
        {grad_input_.bytes().data()}, {grad_input_.bytes().size()});
    EXPECT_TRUE(grad_input_.gaps_untouched());
    return outcome;
  }

 private:
  std::int32_t* index(std::int64_t o) {
    return reinterpret_cast<std::int32_t*>(indices_.data()) + indices_.at(o);
  }

  /// Few different positions a window, so that sums have several terms; values whose sums round.
  void fill(Strays strays) {
    const std::int64_t count = grad_output_.count(), volume = d_.in * h_.in * w_.in;
    const std::int64_t stray = pick(rng_, 0, count - 1);
    const auto one_of = [&](Span s) {
      return pick(rng_, s.first, std::min(s.last, s.first + 2) - 1);
    };
    for (std::int64_t o = 0; o < count; ++o) {
      const std::int64_t in_plane = o % (d_.out * h_.out * w_.out);
      const std::int64_t d = one_of(d_.window(in_plane / (h_.out * w_.out)));
      const std::int64_t h = one_of(h_.window(in_plane / w_.out % h_.out));
      const std::int64_t w = one_of(w_.window(in_plane % w_.out));
      std::int64_t at = (d * h_.in + h) * w_.in + w;
      if ((strays == Strays::one && o == stray) || strays == Strays::many) {
        at = pick(rng_, 0, volume - 1);
      }
      if (strays == Strays::outside && o == stray) at = volume;
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
    {1, 1, {6, 130, 130}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}},       // bands
    {1, 2, {5, 131, 130}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},       // bands of finished scalars
    {1, 1, {4, 3, 6001}, {2, 2, 3}, {1, 1, 2}, {1, 1, 1}},        // long rows
    {2, 2, {25, 9, 7}, {2, 1, 1}, {7, 2, 3}, {0, 0, 0}},          // gaps between windows
    {3, 40, {2, 3, 5}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}},    // planes smaller than a line or two
    {1, 4, {40, 60, 60}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}},  // streamed in every type; two chunks
    {1, 2, {17, 19, 18}, {0, 0, 0}, {5, 4, 7}, {}},
    {1, 1, {4, 40, 41}, {0, 0, 0}, {9, 50, 10}, {}},  // more windows than positions
};

TEST(MaxPool3dRows, AgreeOnEveryPath) {
  unsigned seed = 1;
  for (const Pool& pool : kPools) {
    for (const Element e : kElements) {
      EXPECT_TRUE(Problem(e, pool, Layout::contiguous, Strays::none, ++seed).run().ok);
      EXPECT_TRUE(Problem(e, pool, Layout::contiguous, Strays::none, ++seed).run("slab").ok);
    }
  }
}

TEST(MaxPool3dRows, PairsOfColumnsRunWhereTheyAreMeantTo) {
  const auto row = [](Element e, const Pool& pool) {
    return std::string(Problem(e, pool, Layout::contiguous, Strays::none, 1).row());
  };
  const Pool pool{1, 1, {4, 132, 128}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}};
  const bool avx512 = best_instruction_set() == InstructionSet::avx512;
  EXPECT_EQ(row(Element::bf16, pool), "pairs");
  EXPECT_EQ(row(Element::f16, pool), "pairs");
  EXPECT_EQ(row(Element::bf16, {1, 1, {6, 48, 64}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}}),
            avx512 ? "pairs" : "slab");
  EXPECT_EQ(row(Element::f32, pool), "slab");
  EXPECT_EQ(row(Element::bf16, {1, 1, {4, 6, 64}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}}), "planes");
  EXPECT_EQ(row(Element::bf16, {1, 1, {6, 48, 66}, {2, 3, 2}, {2, 2, 2}, {0, 0, 0}}), "slab");
  EXPECT_EQ(row(Element::bf16, {1, 1, {6, 48, 65}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}, true}), "slab");
  EXPECT_EQ(row(Element::bf16, {1, 1, {6, 48, 66}, {2, 2, 2}, {2, 2, 2}, {0, 0, 1}}), "slab");
}

TEST(MaxPool3dRows, AgreeOnViews) {
  unsigned seed = 100;
  for (const Pool& pool : kPools) {
    if (pool.in.d == 40) continue;  // takes long
    const Element e = kElements[seed % 3];
    for (const Layout layout : {Layout::permuted_with_gaps, Layout::channel_last}) {
      EXPECT_TRUE(Problem(e, pool, layout, Strays::none, ++seed).run().ok);
    }
  }
}

TEST(MaxPool3dRows, ViewsWhoseColumnsLieApartAreCopied) {
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
      for (const Strays strays : {Strays::none, Strays::many, Strays::outside}) {
        Problem problem(e, pool, read, Layout::channel_last, strays, ++seed);
        if (read == Layout::contiguous) {
          EXPECT_STREQ(problem.row(), "copied planes");
        }
        EXPECT_EQ(problem.run().ok, strays != Strays::outside);
      }
    }
  }
}

TEST(MaxPool3dRows, ChannelsSideBySideAreWalkedTogether) {
  const Pool pools[] = {
      {2, 64, {4, 12, 16}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},
      {1, 96, {8, 33, 64}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}},       // streamed in every type
      {1, 32, {7, 41, 40}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}},       // windows that two tiles share
      {2, 32, {7, 9, 11}, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}, true},  // that run over an end
      {1, 32, {25, 9, 7}, {2, 1, 1}, {7, 2, 3}, {0, 0, 0}},        // and gaps between them
      {2, 32, {17, 19, 18}, {0, 0, 0}, {5, 4, 7}, {}},             // adaptive
      {1, 32, {4, 40, 41}, {0, 0, 0}, {9, 50, 10}, {}},            // more windows than positions
  };
  unsigned seed = 450;
  for (const Pool& pool : pools) {
    for (const Element e : kElements) {
      const Strays strays[] = {Strays::none, Strays::one, Strays::many, Strays::outside};
      for (const Strays some : {Strays::none, strays[seed % 4]}) {
        Problem problem(e, pool, Layout::channel_last, some, ++seed);
        EXPECT_STREQ(problem.row(), "channels");
        EXPECT_EQ(problem.run().ok, some != Strays::outside);
      }
    }
  }
}

TEST(MaxPool3dRows, CopiesAreWorthIt) {
  const auto row = [](std::int64_t c, std::int64_t extent, bool channels_last) {
    kernels::MaxPool3dBackwardGeometry g;
    g.c = c;
    g.in = {4, extent, extent};
    g.out = {2, extent / 2, extent / 2};
    g.windows = true;
    g.kernel = g.stride = {2, 2, 2};
    const auto strides = [&](const Axes3& e) {
      const std::int64_t w = channels_last ? c : 1;
      return kernels::Strides5{c * e.d * e.h * e.w, channels_last ? 1 : e.d * e.h * e.w,
                               e.h * e.w * w, e.w * w, w};
    };
    g.grad_output = g.indices = strides(g.out);
    g.grad_input = strides(g.in);
    return std::string(choose(kernels::max_pool3d_with_argmax_backward(), g).name);
  };
  EXPECT_EQ(row(64, 16, true), "channels");
  EXPECT_EQ(row(64, 128, true), "copied planes") << "too many sums";
  EXPECT_EQ(row(48, 16, true), "copied planes") << "channels that fill no line";
  EXPECT_EQ(row(64, 64, false), "planes");
  EXPECT_EQ(row(64, 128, false), "slab");
  EXPECT_EQ(row(2, 8, true), "slab") << "too little to do";
  EXPECT_EQ(row(64, 2048, true), "slab") << "too much scratch";
}

TEST(MaxPool3dRows, FewOutputsMarkTheirLines) {
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
        for (const Strays strays : {Strays::none, Strays::one, Strays::many, Strays::outside}) {
          Problem problem(e, pool, layout, Layout::contiguous, strays, ++seed);
          if (layout == Layout::contiguous) {
            EXPECT_STREQ(problem.row(), "lines");
          }
          EXPECT_EQ(problem.run().ok, strays != Strays::outside);
        }
      }
    }
  }
}

TEST(MaxPool3dRows, SmallPlanesAreSummedWhole) {
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
      for (const Strays strays : {Strays::none, Strays::one, Strays::many, Strays::outside}) {
        Problem problem(e, pool, Layout::contiguous, strays, ++seed);
        EXPECT_STREQ(problem.row(), "planes");
        EXPECT_EQ(problem.run().ok, strays != Strays::outside);
      }
    }
  }
  const auto row = [](Element e, const Axes3& in, Layout layout) {
    const Pool pool{1, 2, in, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}};
    return std::string(Problem(e, pool, layout, Strays::none, 1).row());
  };
  EXPECT_EQ(row(Element::f32, {8, 8, 8}, Layout::contiguous), "planes");
  EXPECT_EQ(row(Element::f32, {2, 2, 2}, Layout::contiguous), "planes");
  EXPECT_EQ(row(Element::f32, {8, 8, 8}, Layout::permuted_with_gaps), "slab");
  EXPECT_EQ(row(Element::f32, {17, 32, 32}, Layout::contiguous), "slab") << "worth two workers";
}

TEST(MaxPool3dRows, FewOutputsOfSmallPlanes) {
  const auto row = [](Element e, std::int64_t c, const Axes3& in) {
    const Pool pool{1, c, in, {0, 0, 0}, {2, 2, 2}, {}};
    return std::string(Problem(e, pool, Layout::contiguous, Strays::none, 1).row());
  };
  EXPECT_EQ(row(Element::bf16, 16, {8, 8, 8}), "planes");
  EXPECT_EQ(row(Element::bf16, 16, {16, 16, 16}), "lines");
  EXPECT_EQ(row(Element::f32, 16, {16, 16, 16}), "planes");
  EXPECT_EQ(row(Element::f32, 64, {16, 16, 16}), "lines") << "streamed";
}

TEST(MaxPool3dRows, FollowIndicesOutOfTheirWindows) {
  unsigned seed = 200;
  for (const Pool& pool : kPools) {
    for (const Element e : kElements) {
      for (const char* first : {"", "slab"}) {
        EXPECT_TRUE(Problem(e, pool, Layout::contiguous, Strays::one, ++seed).run(first).ok);
        EXPECT_TRUE(Problem(e, pool, Layout::contiguous, Strays::many, ++seed).run(first).ok);
      }
    }
  }
}

TEST(MaxPool3dRows, ReportTheSameBadIndex) {
  unsigned seed = 300;
  for (const Pool& pool : kPools) {
    const Element e = kElements[seed % 3];
    for (const char* first : {"", "slab"}) {
      EXPECT_FALSE(Problem(e, pool, Layout::contiguous, Strays::outside, ++seed).run(first).ok);
    }
  }
}

}  // namespace
}  // namespace gradproof::test
