// UpsampleBilinear2d and its gradient against the four-weight sum of the definition.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "opt/kernels/forward/forward.h"
#include "opt/kernels/upsample/upsample_bilinear2d_backward.h"
#include "tests/kernels/run_kernel.h"
#include "tests/kernels/tensor.h"

namespace gradproof::test {
namespace {

using kernels::Axes2;
using kernels::BilinearAxis;

struct Problem {
  Element element = Element::f32;
  std::int64_t n = 1, c = 1;
  Axes2 in, out;
  bool align = false;
  double scale_h = 0, scale_w = 0;
  BilinearAxis h() const { return kernels::bilinear_axis(in.h, out.h, align, scale_h); }
  BilinearAxis w() const { return kernels::bilinear_axis(in.w, out.w, align, scale_w); }

  /// f(small position, large position, weight) for every weight that is not 0, within a plane.
  template <class F>
  void for_each_weight(const F& f) const {
    const BilinearAxis axis_h = h(), axis_w = w();
    for (std::int64_t i = 0; i < out.h; ++i) {
      for (std::int64_t j = 0; j < out.w; ++j) {
        const BilinearAxis::Tap a = axis_h.tap(i), b = axis_w.tap(j);
        for (int corner = 0; corner < 4; ++corner) {
          const double weight = static_cast<double>(corner & 2 ? a.w1 : a.w0) *
                                static_cast<double>(corner & 1 ? b.w1 : b.w0);
          if (weight != 0)
            f((corner & 2 ? a.i1 : a.i0) * in.w + (corner & 1 ? b.i1 : b.i0), i * out.w + j,
              weight);
        }
      }
    }
  }
};

/// A sum with what is needed to bound the error of adding it up in float.
struct Sum {
  double value = 0, magnitude = 0;
  int terms = 0;
  void add(double t) {
    value += t;
    magnitude += std::abs(t);
    ++terms;
  }
  void expect(double got, Element e) const {
    if (!std::isfinite(value)) {
      EXPECT_TRUE(got == value || (std::isnan(got) && std::isnan(value)));
      return;
    }
    const double u = 0x1p-24 * (terms + 3), room = u / (1 - u) * magnitude + terms * 0x1p-149;
    EXPECT_LE(round_to(value - room, e), got);
    EXPECT_GE(round_to(value + room, e), got);
  }
};

struct Images {
  Problem p;
  Tensor small, large;
  Images(const Problem& problem, Layout small_layout, Layout large_layout, Rng& rng)
      : p(problem),
        small(p.element, {p.n, p.c, p.in.h, p.in.w}, small_layout, rng),
        large(p.element, {p.n, p.c, p.out.h, p.out.w}, large_layout, rng) {}

  void backward() {
    const kernels::UpsampleBackwardGeometry g{
        p.element, p.n, p.c, p.in, p.out, large.strides4(), small.strides4(), p.h(), p.w()};
    const kernels::UpsampleBackwardBuffers b{large.data(), small.data()};
    EXPECT_TRUE(run_everywhere(kernels::upsample_bilinear2d_backward(), g, b,
                               {small.bytes().data()}, {small.bytes().size()})
                    .done());
    EXPECT_TRUE(small.gaps_untouched());
  }
  void forward() {
    const kernels::UpsampleGeometry g{p.element,        p.n,   p.c,  p.in, p.out, small.strides4(),
                                      large.strides4(), p.h(), p.w()};
    const kernels::MapBuffers b{small.data(), large.data()};
    EXPECT_TRUE(run_everywhere(kernels::upsample_bilinear2d(), g, b, {large.bytes().data()},
                               {large.bytes().size()})
                    .done());
    EXPECT_TRUE(large.gaps_untouched());
  }
  void expect_right(bool backwards) {
    const Tensor &to = backwards ? small : large, &from = backwards ? large : small;
    const std::int64_t small_plane = p.in.h * p.in.w, large_plane = p.out.h * p.out.w;
    for (std::int64_t plane = 0; plane < p.n * p.c; ++plane) {
      std::vector<Sum> sums(static_cast<std::size_t>(backwards ? small_plane : large_plane));
      p.for_each_weight([&](std::int64_t s, std::int64_t l, double weight) {
        const std::int64_t read = backwards ? plane * large_plane + l : plane * small_plane + s;
        sums[static_cast<std::size_t>(backwards ? s : l)].add(weight * from.get(read));
      });
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i].expect(
            to.get(static_cast<std::int64_t>(i + static_cast<std::size_t>(plane) * sums.size())),
            p.element);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
};

void fill_real(Tensor& t, Rng& rng) {
  for (std::int64_t i = 0; i < t.count(); ++i) t.set(i, std::normal_distribution<double>()(rng));
}

constexpr Layout kLayouts[] = {Layout::contiguous, Layout::permuted_with_gaps, Layout::channel_last,
                               Layout::broadcast};
constexpr Element kElements[] = {Element::f32, Element::f16, Element::bf16};

Problem random_problem(Rng& rng, int round) {
  Problem p;
  p.element = kElements[round % 3];
  p.n = pick(rng, 1, 2), p.c = round % 5 == 0 ? pick(rng, 30, 70) : pick(rng, 1, 4);
  p.in = {pick(rng, 1, 8), pick(rng, 1, 8)};
  p.out = {pick(rng, 1, 12), pick(rng, 1, 12)};
  p.align = pick(rng, 0, 1) == 1;
  constexpr double kScales[] = {0, 0, 0.4, 1, 1.7, 3, -1};
  p.scale_h = kScales[pick(rng, 0, 6)], p.scale_w = kScales[pick(rng, 0, 6)];
  return p;
}

TEST(UpsampleBackward, HandWorked) {
  Rng rng(1);
  Images t({Element::f32, 1, 1, {1, 2}, {1, 4}, false, 0, 0}, Layout::contiguous,
           Layout::contiguous, rng);
  for (int j = 0; j < 4; ++j) t.large.set(j, 4 << j);  // 4, 8, 16, 32
  t.backward();
  EXPECT_EQ(t.small.get(0), 4 + 6 + 4);
  EXPECT_EQ(t.small.get(1), 2 + 12 + 32);
}

TEST(UpsampleBackward, RandomGeometryAgreesWithTheDefinition) {
  Rng rng(2);
  for (int round = 0; round < 200; ++round) {
    const Layout layout = kLayouts[pick(rng, 0, 2)];
    Images t(random_problem(rng, round), layout, round % 4 == 0 ? Layout::broadcast : layout, rng);
    fill_real(t.large, rng);
    t.backward();
    t.expect_right(true);
    ASSERT_FALSE(HasFailure()) << round;
  }
}

TEST(UpsampleForward, RandomGeometryAgreesWithTheDefinition) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const Layout layout = kLayouts[pick(rng, 0, 2)];
    Images t(random_problem(rng, round), round % 4 == 0 ? Layout::broadcast : layout, layout, rng);
    fill_real(t.small, rng);
    t.forward();
    t.expect_right(false);
    ASSERT_FALSE(HasFailure()) << round;
  }
}

TEST(UpsampleBackward, LayoutsAgreeToTheBit) {
  Rng rng(4);
  const Problem p{Element::f32, 2, 67, {7, 9}, {16, 25}, false, 0, 2.6};
  Images first(p, Layout::contiguous, Layout::contiguous, rng);
  fill_real(first.large, rng);
  first.backward();
  for (const Layout layout : {Layout::permuted_with_gaps, Layout::channel_last}) {
    Images other(p, layout, layout, rng);
    for (std::int64_t i = 0; i < first.large.count(); ++i) other.large.set(i, first.large.get(i));
    other.backward();
    for (std::int64_t i = 0; i < first.small.count(); ++i)
      ASSERT_EQ(other.small.get(i), first.small.get(i)) << i;
  }
}

TEST(UpsampleBackward, PlanesThatAreSharedByThreads) {
  Rng rng(5);
  for (const Layout layout : {Layout::contiguous, Layout::channel_last}) {
    Images t({Element::f16, 1, 3, {150, 101}, {300, 202}, true, 0, 0}, layout, layout, rng);
    fill_real(t.large, rng);
    t.backward();
    t.expect_right(true);
    fill_real(t.small, rng);
    Images back(t.p, layout, layout, rng);
    fill_real(back.small, rng);
    back.forward();
    back.expect_right(false);
  }
}

TEST(UpsampleBackward, DisjointRowsAndColumns) {
  Rng rng(7);
  constexpr double kSpecial[] = {-0.0, std::numeric_limits<double>::infinity(), std::nan(""),
                                 -1e-40};
  for (int round = 0; round < 60; ++round) {
    Problem p;
    p.element = kElements[round % 3];
    p.n = pick(rng, 1, 2), p.c = pick(rng, 1, 3);
    p.out = {pick(rng, 1, 12), pick(rng, 8, round % 5 == 0 ? 160 : 40)};
    p.in = {2 * p.out.h + pick(rng, 0, 9), 2 * p.out.w + pick(rng, 0, 70)};
    p.align = pick(rng, 0, 1) == 1;
    p.scale_w = round % 4 == 0 ? 0.4 : 0;
    const Layout layout = round % 7 == 0 ? Layout::permuted_with_gaps : Layout::contiguous;
    Images t(p, layout, round % 6 == 0 ? Layout::broadcast : layout, rng);
    fill_real(t.large, rng);
    for (int i = 0; i < round % 8; ++i)
      t.large.set(pick(rng, 0, t.large.count() - 1), kSpecial[pick(rng, 0, 3)]);
    t.backward();
    t.expect_right(true);
    ASSERT_FALSE(HasFailure()) << round;
  }
}

/// Columns four positions apart, with corners aligned and without, and other scales up to 4.
TEST(UpsampleBackward, ColumnsOfUpToEightTerms) {
  Rng rng(11);
  constexpr double kSpecial[] = {-0.0, std::numeric_limits<double>::infinity(), std::nan(""),
                                 -1e-40};
  for (int round = 0; round < 60; ++round) {
    Problem p;
    p.element = kElements[round % 3];
    p.n = 1, p.c = pick(rng, 1, 3);
    p.in = {pick(rng, 1, 20), pick(rng, 1, round % 5 == 0 ? 300 : 40)};
    p.align = round % 4 == 1 && p.in.w > 1;
    const std::int64_t wide = p.align          ? 4 * (p.in.w - 1) + 1
                              : round % 4 == 2 ? 3 * p.in.w + pick(rng, 0, p.in.w - 1)
                                               : 4 * p.in.w;
    p.out = {4 * p.in.h, wide};
    const Layout layout = round % 7 == 0 ? Layout::permuted_with_gaps : Layout::contiguous;
    Images t(p, layout, layout, rng);
    fill_real(t.large, rng);
    for (int i = 0; i < round % 8; ++i)
      t.large.set(pick(rng, 0, t.large.count() - 1), kSpecial[pick(rng, 0, 3)]);
    t.backward();
    t.expect_right(true);
    ASSERT_FALSE(HasFailure()) << round;
  }
}

TEST(UpsampleBackward, DisjointRowsAndColumnsAreStreamed) {
  Rng rng(9);
  for (const Element element : kElements) {
    for (const std::int64_t width : {512, 508}) {  // rows of whole lines, and others
      Images t({element, 1, 4, {384, width}, {150, 200}, false, 0, 0}, Layout::contiguous,
               Layout::contiguous, rng);
      fill_real(t.large, rng);
      t.backward();
      t.expect_right(true);
    }
  }
}

TEST(UpsampleBackward, WeightsOfZeroKeepInfinityAndNanToTheirElements) {
  Rng rng(6);
  for (const double x : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    Images t({Element::f32, 1, 1, {4, 4}, {4, 4}, false, 0, 0}, Layout::contiguous,
             Layout::contiguous, rng);
    t.large.fill_whole(rng, 3);
    t.large.set(5, x);
    t.backward();
    t.small.set(5, 0);  // its own element
    for (int i = 0; i < 16; ++i) EXPECT_TRUE(std::isfinite(t.small.get(i))) << i;
    t.small.set(5, x);
    t.forward();
    for (int i = 0; i < 16; ++i) EXPECT_EQ(std::isfinite(t.large.get(i)), i != 5) << i;
  }
}

TEST(UpsampleBackward, SubnormalsAreKept) {
  Rng rng(8);
  Images t({Element::f32, 1, 1, {1, 2}, {1, 4}, false, 0, 0}, Layout::contiguous,
           Layout::contiguous, rng);
  for (int j = 0; j < 4; ++j) t.large.set(j, 0x1p-147);
  t.backward();
  EXPECT_EQ(t.small.get(0), 2 * 0x1p-147);
}

TEST(UpsampleBackward, ClaimedExtentsThatNobodyCanHaveGetAWorkspaceThatNobodyCanHave) {
  kernels::UpsampleBackwardGeometry g;
  g.out.w = std::int64_t{1} << 60;
  g.w = kernels::bilinear_axis(1, g.out.w, false, 0);
  kernels::PlanBox<kernels::UpsampleBackwardPlan> plan;
  kernels::upsample_bilinear2d_backward().back().plan(plan, g, machine(InstructionSet::scalar, 64));
  EXPECT_EQ(plan->layout.bytes(), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace gradproof::test
