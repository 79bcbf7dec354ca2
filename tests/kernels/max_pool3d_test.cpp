// Both 3-D pools: the gradient's scatter and the forward's windows against brute force.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "opt/kernels/forward/forward.h"
#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "tests/kernels/run_kernel.h"
#include "tests/kernels/tensor.h"

namespace gradproof::test {
namespace {

using kernels::Axes3;
using Shape = std::vector<std::int64_t>;

/// A tensor of int32 with the layouts of the others.
struct Indices {
  Tensor tensor;
  Indices(const Shape& shape, Layout layout, Rng& rng) : tensor(Element::f32, shape, layout, rng) {}
  std::int32_t* data() { return reinterpret_cast<std::int32_t*>(tensor.data()); }
  std::int32_t& operator[](std::int64_t position) { return data()[tensor.at(position)]; }
};

struct Backward {
  kernels::MaxPool3dBackwardGeometry g;
  Tensor grad_output, grad_input;
  Indices indices;

  Backward(Element e, std::int64_t n, std::int64_t c, Axes3 in, Axes3 out, Layout layout, Rng& rng)
      : grad_output(e, {n, c, out.d, out.h, out.w}, layout, rng),
        grad_input(e, {n, c, in.d, in.h, in.w},
                   layout == Layout::broadcast ? Layout::contiguous : layout, rng),
        indices({n, c, out.d, out.h, out.w}, layout, rng) {
    g.element = e;
    g.n = n, g.c = c, g.in = in, g.out = out;
    g.grad_output = grad_output.strides5();
    g.grad_input = grad_input.strides5();
    g.indices = indices.tensor.strides5();
    grad_output.fill_whole(rng, 8);
    for (std::int64_t o = 0; o < grad_output.count(); ++o) {
      indices[o] = static_cast<std::int32_t>(pick(rng, 0, in.d * in.h * in.w - 1));
    }
  }
  kernels::Outcome run() {
    const kernels::MaxPool3dBackwardBuffers b{grad_output.data(), indices.data(),
                                              grad_input.data()};
    return run_everywhere(kernels::max_pool3d_with_argmax_backward(), g, b,
                          {grad_input.bytes().data()}, {grad_input.bytes().size()});
  }
  void expect_right() {
    const std::int64_t volume = g.in.d * g.in.h * g.in.w, outputs = g.out.d * g.out.h * g.out.w;
    std::vector<double> sums(static_cast<std::size_t>(g.n * g.c * volume));
    for (std::int64_t o = 0; o < grad_output.count(); ++o) {
      sums[static_cast<std::size_t>(o / outputs * volume + indices[o])] += grad_output.get(o);
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      ASSERT_EQ(grad_input.get(static_cast<std::int64_t>(i)), round_to(sums[i], g.element)) << i;
    }
    EXPECT_TRUE(grad_input.gaps_untouched());
  }
};

constexpr Layout kLayouts[] = {Layout::contiguous, Layout::permuted_with_gaps, Layout::channel_last,
                               Layout::broadcast};
constexpr Element kElements[] = {Element::f32, Element::f16, Element::bf16};

TEST(MaxPool3dBackward, HandWorked) {
  Rng rng(1);
  Backward t(Element::f32, 1, 1, {1, 2, 2}, {1, 1, 3}, Layout::contiguous, rng);
  for (int o = 0; o < 3; ++o) {
    t.grad_output.set(o, 1 << o);
    t.indices[o] = o == 1 ? 0 : 3;
  }
  EXPECT_TRUE(t.run().done());
  const double expected[] = {2, 0, 0, 5};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(t.grad_input.get(i), expected[i]);
}

TEST(MaxPool3dBackward, RandomGeometryAgreesWithBruteForce) {
  Rng rng(2);
  for (int round = 0; round < 120; ++round) {
    const auto axes = [&](std::int64_t most) {
      return Axes3{pick(rng, 1, most), pick(rng, 1, most), pick(rng, 1, most)};
    };
    const Axes3 in = axes(6), out = axes(5);
    Backward t(kElements[round % 3], pick(rng, 1, 3), pick(rng, 1, 4), in, out,
               kLayouts[pick(rng, 0, 3)], rng);
    EXPECT_TRUE(t.run().done());
    t.expect_right();
  }
}

TEST(MaxPool3dBackward, PlanesThatAreSharedByThreads) {
  Rng rng(3);
  for (const Element e : kElements) {
    for (const Layout layout : {Layout::contiguous, Layout::permuted_with_gaps}) {
      Backward one(e, 1, 1, {17, 60, 61}, {31, 40, 41}, layout, rng),
          several(e, 2, 20, {5, 20, 21}, {4, 21, 22}, layout, rng);
      EXPECT_TRUE(one.run().done());
      one.expect_right();
      EXPECT_TRUE(several.run().done());
      several.expect_right();
    }
  }
}

TEST(MaxPool3dBackward, PlanesWhoseSumsDoNotFitIntoScratchAreWrittenInParts) {
  Rng rng(10);
  for (const Element e : kElements) {
    Backward t(e, 2, 1, {70, 64, 66}, {2, 40, 60}, Layout::contiguous, rng);
    EXPECT_TRUE(t.run().done());
    t.expect_right();
    t.indices[t.grad_output.count() - 1] = 70 * 64 * 66;
    EXPECT_FALSE(t.run().done());
  }
}

TEST(MaxPool3dBackward, EmptyGradOutputWritesZerosAndNoPlanesNothing) {
  Rng rng(4);
  for (const Element e : kElements) {
    for (const Layout layout : {Layout::contiguous, Layout::permuted_with_gaps}) {
      Backward none(e, 2, 3, {2, 3, 4}, {0, 0, 0}, layout, rng);
      EXPECT_TRUE(none.run().done());
      none.expect_right();
    }
  }
  Backward no_planes(Element::f16, 0, 2, {2, 3, 4}, {2, 2, 2}, Layout::contiguous, rng);
  EXPECT_TRUE(no_planes.run().done());
  EXPECT_TRUE(no_planes.grad_input.gaps_untouched());
}

TEST(MaxPool3dBackward, WithoutAResultTheOtherExtentsMayBeOfAnySize) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Rng rng(9);
  Backward t(Element::f16, 1, 1, {1, 2, 2}, {0, 0, 0}, Layout::contiguous, rng);
  t.g.n = 0, t.g.c = kMost, t.g.in = {0, kMost, kMost}, t.g.out = {kMost, kMost, kMost};
  EXPECT_TRUE(t.run().done());
}

TEST(MaxPool3dBackward, TheFirstBadIndexIsReportedAndMemoryOutsideStaysUntouched) {
  Rng rng(5);
  for (int round = 0; round < 60; ++round) {
    const bool large = round % 6 == 0;
    Backward t(kElements[round % 3], 2, 3, large ? Axes3{9, 40, 41} : Axes3{2, 3, 4},
               large ? Axes3{8, 30, 31} : Axes3{3, 2, 2},
               round % 2 == 0 ? Layout::contiguous : Layout::permuted_with_gaps, rng);
    const auto volume = static_cast<std::int32_t>(t.g.in.d * t.g.in.h * t.g.in.w);
    const std::int32_t bad[] = {-1, volume, std::numeric_limits<std::int32_t>::min(),
                                std::numeric_limits<std::int32_t>::max()};
    std::int64_t first = t.grad_output.count();
    for (int k = 0; k < 3; ++k) {
      const std::int64_t o = pick(rng, 0, t.grad_output.count() - 1);
      t.indices[o] = bad[pick(rng, 0, 3)];
      first = std::min(first, o);
    }
    const kernels::Outcome outcome = t.run();
    EXPECT_EQ(outcome.end, kernels::Outcome::End::bad_index);
    EXPECT_EQ(outcome.position, first);
    EXPECT_EQ(outcome.value, t.indices[first]);
    EXPECT_TRUE(t.grad_input.gaps_untouched());
  }
}

TEST(MaxPool3dBackward, SixteenBitSumsAreKeptInFloatAndRoundedOnce) {
  Rng rng(6);
  Backward t(Element::bf16, 1, 1, {1, 1, 1}, {1, 1, 300}, Layout::contiguous, rng);
  for (int o = 0; o < 300; ++o) t.grad_output.set(o, 1);
  EXPECT_TRUE(t.run().done());
  EXPECT_EQ(t.grad_input.get(0), 300);  // summed in bfloat16 it would stall at 256
  Backward overflow(Element::f16, 1, 1, {1, 1, 2}, {1, 1, 2}, Layout::contiguous, rng);
  for (int o = 0; o < 2; ++o) overflow.indices[o] = 0;
  for (int o = 0; o < 2; ++o) overflow.grad_output.set(o, 65504);
  EXPECT_TRUE(overflow.run().done());
  EXPECT_EQ(overflow.grad_input.get(0), std::numeric_limits<double>::infinity());
}

TEST(MaxPool3dBackward, NanAndInfinityReachTheirElementsAlone) {
  Rng rng(7);
  for (const Element e : kElements) {
    Backward t(e, 1, 2, {1, 1, 4}, {1, 1, 3}, Layout::contiguous, rng);
    for (int o = 0; o < 6; ++o) t.indices[o] = o % 3;
    t.grad_output.set(0, std::nan(""));
    t.grad_output.set(4, -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(t.run().done());
    for (int i = 0; i < 8; ++i) {
      if (i == 0) {
        EXPECT_TRUE(std::isnan(t.grad_input.get(i)));
      } else if (i == 5) {
        EXPECT_EQ(t.grad_input.get(i), -std::numeric_limits<double>::infinity());
      } else {
        EXPECT_TRUE(std::isfinite(t.grad_input.get(i))) << i;
      }
    }
  }
}

TEST(MaxPool3dBackward, SubnormalsAreKept) {
  Rng rng(8);
  for (const auto& [e, least] :
       {std::pair{Element::f32, 0x1p-149}, {Element::f16, 0x1p-24}, {Element::bf16, 0x1p-133}}) {
    Backward t(e, 1, 1, {1, 1, 2}, {1, 1, 3}, Layout::contiguous, rng);
    for (int o = 0; o < 3; ++o) {
      t.indices[o] = 1;
      t.grad_output.set(o, least);
    }
    EXPECT_TRUE(t.run().done());
    EXPECT_EQ(t.grad_input.get(1), 3 * least);
  }
}

struct Forward {
  kernels::MaxPool3dGeometry g;
  Tensor self, result;
  Indices indices;

  Forward(Element e, const kernels::MaxPool3dGeometry& geometry, Layout layout, Rng& rng)
      : g(geometry),
        self(e, {g.n, g.c, g.in.d, g.in.h, g.in.w}, layout, rng),
        result(e, {g.n, g.c, g.out.d, g.out.h, g.out.w}, Layout::permuted_with_gaps, rng),
        indices(result.shape(), Layout::permuted_with_gaps, rng) {
    g.element = e;
    g.self = self.strides5();
    g.result = result.strides5();
    g.indices = indices.tensor.strides5();
    self.fill_whole(rng, 3);  // many equal maxima
  }
  void run() {
    const kernels::MaxPool3dBuffers b{self.data(), result.data(), indices.data()};
    const auto table =
        g.adaptive ? kernels::adaptive_max_pool3d() : kernels::max_pool3d_with_argmax();
    EXPECT_TRUE(run_everywhere(table, g, b, {result.bytes().data(), indices.tensor.bytes().data()},
                               {result.bytes().size(), indices.tensor.bytes().size()})
                    .done());
  }
  bool inside(std::int64_t i, std::int64_t o, std::int64_t in, std::int64_t out, std::int64_t k,
              std::int64_t s, std::int64_t p) const {
    if (!g.adaptive) return i >= o * s - p && i - (o * s - p) < k;
    return i >= o * in / out && i * out < (o + 1) * in;
  }
  void expect_right() {
    const std::int64_t volume = g.in.d * g.in.h * g.in.w, outputs = g.out.d * g.out.h * g.out.w;
    for (std::int64_t o = 0; o < result.count(); ++o) {
      const std::int64_t plane = o / outputs, od = o % outputs / (g.out.h * g.out.w),
                         oh = o / g.out.w % g.out.h, ow = o % g.out.w;
      std::int64_t best = -1;
      double most = 0;
      for (std::int64_t i = 0; i < volume; ++i) {
        if (!inside(i / (g.in.h * g.in.w), od, g.in.d, g.out.d, g.kernel.d, g.stride.d,
                    g.padding.d) ||
            !inside(i / g.in.w % g.in.h, oh, g.in.h, g.out.h, g.kernel.h, g.stride.h,
                    g.padding.h) ||
            !inside(i % g.in.w, ow, g.in.w, g.out.w, g.kernel.w, g.stride.w, g.padding.w)) {
          continue;
        }
        const double x = self.get(plane * volume + i);
        if (best < 0 || (!std::isnan(most) && (std::isnan(x) || x > most))) best = i, most = x;
      }
      ASSERT_EQ(indices[o], best) << o;
      ASSERT_TRUE(result.get(o) == most || (std::isnan(most) && std::isnan(result.get(o)))) << o;
    }
    EXPECT_TRUE(result.gaps_untouched());
  }
};

TEST(MaxPool3dForward, RandomWindowsAgreeWithBruteForce) {
  Rng rng(10);
  for (int round = 0; round < 150; ++round) {
    kernels::MaxPool3dGeometry g;
    g.n = pick(rng, 1, 2), g.c = pick(rng, 1, 3);
    g.adaptive = round % 3 == 0;
    for (auto axis : {&Axes3::d, &Axes3::h, &Axes3::w}) {
      g.in.*axis = pick(rng, 1, 6);
      if (g.adaptive) {
        g.out.*axis = pick(rng, 1, 8);
        continue;
      }
      g.kernel.*axis = pick(rng, 1, g.in.*axis);
      g.stride.*axis = pick(rng, 1, 4);
      g.padding.*axis = pick(rng, 0, g.kernel.*axis / 2);
      g.out.*axis = (g.in.*axis + 2 * (g.padding.*axis) - g.kernel.*axis) / g.stride.*axis + 1;
    }
    Forward t(kElements[round / 3 % 3], g, kLayouts[pick(rng, 0, 3)], rng);
    if (round % 4 == 0) {
      for (int k = 0; k < 4; ++k) {
        t.self.set(pick(rng, 0, t.self.count() - 1),
                   k % 2 == 0 ? std::nan("") : -std::numeric_limits<double>::infinity());
      }
    }
    t.run();
    t.expect_right();
  }
}

TEST(MaxPool3dForward, AWindowOfMinusInfinityHasItsFirstPosition) {
  Rng rng(11);
  kernels::MaxPool3dGeometry g;
  g.in = {2, 3, 4}, g.kernel = {2, 3, 3}, g.stride = {2, 2, 2}, g.padding = {1, 1, 1},
  g.out = {2, 2, 2};
  Forward t(Element::f16, g, Layout::contiguous, rng);
  for (std::int64_t i = 0; i < t.self.count(); ++i)
    t.self.set(i, -std::numeric_limits<double>::infinity());
  t.run();
  t.expect_right();
  EXPECT_EQ(t.indices[0], 0);
}

TEST(MaxPool3dForward, HugeKernelsAreClippedToTheInput) {
  Rng rng(12);
  kernels::MaxPool3dGeometry g;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  g.in = {3, 4, 5}, g.kernel = {kMost, kMost, kMost - 1}, g.stride = {kMost, 1, kMost};
  g.padding = {kMost / 2, kMost / 2, kMost / 2}, g.out = {1, 4, 1};  // ⌊(4 + 2p − k)/1⌋ + 1 = 4
  Forward t(Element::f32, g, Layout::contiguous, rng);
  t.run();
  t.expect_right();
}

}  // namespace
}  // namespace gradproof::test
