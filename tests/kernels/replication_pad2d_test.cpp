// ReplicationPad2d and its gradient against brute force, negative padding included.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "opt/kernels/forward/forward.h"
#include "opt/kernels/pad/replication_pad2d_backward.h"
#include "tests/kernels/run_kernel.h"
#include "tests/kernels/tensor.h"

namespace gradproof::test {
namespace {

using kernels::Axes2;

struct Pad {
  Element element;
  std::int64_t n, c;
  Axes2 in;
  std::int64_t left, right, top, bottom;

  Axes2 out() const { return {in.h + top + bottom, in.w + left + right}; }
  /// The position in self's plane that position o of the result's plane is copied from.
  std::int64_t source(std::int64_t o) const {
    const std::int64_t h = std::clamp<std::int64_t>(o / out().w - top, 0, in.h - 1);
    return h * in.w + std::clamp<std::int64_t>(o % out().w - left, 0, in.w - 1);
  }
};

struct Images {
  Pad p;
  Tensor small, large;
  Images(const Pad& pad, Layout small_layout, Layout large_layout, Rng& rng)
      : p(pad),
        small(p.element, {p.n, p.c, p.in.h, p.in.w}, small_layout, rng),
        large(p.element, {p.n, p.c, p.out().h, p.out().w}, large_layout, rng) {}

  void backward() {
    kernels::ReplicationPadBackwardGeometry g;
    g.element = p.element, g.n = p.n, g.c = p.c, g.in = p.in, g.out = p.out(), g.left = p.left,
    g.top = p.top;
    g.grad_output = large.strides4(), g.grad_input = small.strides4();
    const kernels::ReplicationPadBackwardBuffers b{large.data(), small.data()};
    EXPECT_TRUE(run_everywhere(kernels::replication_pad2d_backward(), g, b, {small.bytes().data()},
                               {small.bytes().size()})
                    .done());
    EXPECT_TRUE(small.gaps_untouched());
  }
  void forward() {
    kernels::ReplicationPadGeometry g;
    g.element = p.element, g.n = p.n, g.c = p.c, g.in = p.in, g.out = p.out(), g.left = p.left,
    g.top = p.top;
    g.self = small.strides4(), g.result = large.strides4();
    const kernels::MapBuffers b{small.data(), large.data()};
    EXPECT_TRUE(run_everywhere(kernels::replication_pad2d(), g, b, {large.bytes().data()},
                               {large.bytes().size()})
                    .done());
    EXPECT_TRUE(large.gaps_untouched());
  }
  void expect_gradient() {
    const std::int64_t small_plane = p.in.h * p.in.w, large_plane = p.out().h * p.out().w;
    for (int k = 0; k < scalars_of(p.element); ++k) {
      std::vector<double> sums(static_cast<std::size_t>(small.count()));
      for (std::int64_t o = 0; o < large.count(); ++o) {
        sums[static_cast<std::size_t>(o / large_plane * small_plane + p.source(o % large_plane))] +=
            large.get(o, k);
      }
      for (std::size_t i = 0; i < sums.size(); ++i) {
        ASSERT_EQ(small.get(static_cast<std::int64_t>(i), k), round_to(sums[i], p.element))
            << i << " component " << k;
      }
    }
  }
};

constexpr Layout kLayouts[] = {Layout::contiguous, Layout::permuted_with_gaps, Layout::channel_last,
                               Layout::broadcast};
constexpr Element kElements[] = {Element::f32, Element::f16, Element::f64, Element::c64,
                                 Element::c128};

Pad random_pad(Rng& rng, int round) {
  for (;;) {
    const Axes2 in{pick(rng, 1, 6), pick(rng, 1, 6)};
    const Pad p{kElements[round % 5],
                pick(rng, 1, 2),
                round % 7 == 0 ? pick(rng, 30, 40) : pick(rng, 1, 4),
                in,
                pick(rng, -in.w - 3, in.w - 1),
                pick(rng, -in.w - 3, in.w - 1),
                pick(rng, -in.h - 3, in.h - 1),
                pick(rng, -in.h - 3, in.h - 1)};
    if (p.out().h >= 1 && p.out().w >= 1) return p;
  }
}

TEST(ReplicationPadBackward,
     HandWorked) {  // a 2×2 plane, one more column on the left, one more row below
  Rng rng(1);
  Images t({Element::c64, 1, 1, {2, 2}, 1, 0, 0, 1}, Layout::contiguous, Layout::contiguous, rng);
  for (int o = 0; o < 9; ++o) {
    t.large.set(o, o, 0);
    t.large.set(o, -10 * o, 1);
  }
  t.backward();
  const double expected[] = {0 + 1, 2, 3 + 4 + 6 + 7, 5 + 8};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(t.small.get(i, 0), expected[i]);
    EXPECT_EQ(t.small.get(i, 1), -10 * expected[i]);
  }
}

TEST(ReplicationPadBackward, RandomPaddingAgreesWithBruteForce) {
  Rng rng(2);
  for (int round = 0; round < 400; ++round) {
    const Layout layout = kLayouts[pick(rng, 0, 2)];
    const Layout read = round % 4 == 0   ? Layout::broadcast
                        : round % 4 == 1 ? kLayouts[pick(rng, 0, 2)]
                                         : layout;
    Images t(random_pad(rng, round), layout, read, rng);
    t.large.fill_whole(rng, 20);
    t.backward();
    t.expect_gradient();
    ASSERT_FALSE(HasFailure()) << round;
  }
}

TEST(ReplicationPadForward, RandomPaddingCopiesTheNearestElement) {
  Rng rng(3);
  for (int round = 0; round < 400; ++round) {
    const Layout layout = kLayouts[pick(rng, 0, 2)];
    Images t(random_pad(rng, round), round % 4 == 0 ? Layout::broadcast : layout, layout, rng);
    t.small.fill_whole(rng, 1000);
    t.forward();
    const std::int64_t small_plane = t.p.in.h * t.p.in.w, large_plane = t.p.out().h * t.p.out().w;
    for (std::int64_t o = 0; o < t.large.count(); ++o) {
      for (int k = 0; k < scalars_of(t.p.element); ++k) {
        ASSERT_EQ(t.large.get(o, k),
                  t.small.get(o / large_plane * small_plane + t.p.source(o % large_plane), k))
            << round;
      }
    }
  }
}

TEST(ReplicationPadBackward, LargePlanesAreSharedByThreads) {
  Rng rng(4);
  for (const Element e : {Element::f16, Element::c128}) {
    for (const Layout layout : {Layout::contiguous, Layout::permuted_with_gaps}) {
      Images t({e, 1, 2, {300, 201}, 9, -3, 17, 5}, layout, layout, rng);
      t.large.fill_whole(rng, 8);
      t.backward();
      t.expect_gradient();
    }
  }
}

TEST(ReplicationPadBackward, ChannelsLastOnOneEndAreTransposed) {
  Rng rng(6);
  const Pad pads[] = {
      {Element::f32, 2, 70, {9, 40}, 1, 1, 1, 1},    // more channels than are taken together
      {Element::f32, 1, 40, {70, 112}, 3, 0, 0, 2},  // streamed
      {Element::f32, 1, 48, {60, 128}, 2, 1, 1, 0},  // in whole lines
      {Element::f32, 1, 64, {2, 5000}, 1, 1, 1, 1},  // rows too long to take 64 together
      {Element::f32, 2, 5, {3, 40}, -20, 4, 2, -1},  // columns and rows that are cropped away
      {Element::f32, 1, 3, {4, 2}, 1, 2, 1, 1},      // no inner columns
      {Element::f32, 3, 33, {1, 17}, 0, 0, 1, 1},
  };
  for (Pad pad : pads) {
    for (const Element e : {Element::f32, Element::f16, Element::f64}) {
      pad.element = e;
      for (const Layout read : {Layout::contiguous, Layout::channel_last}) {
        const bool last = read == Layout::channel_last;
        Images t(pad, last ? Layout::contiguous : Layout::channel_last, read, rng);
        if (pad.in.w % 16 == 0) t.small.begin_line();  // rows are streamed whole
        t.large.fill_whole(rng, 20);
        t.backward();
        t.expect_gradient();
      }
    }
  }
}

TEST(ReplicationPadBackward, NanAndInfinityReachTheirElementsAlone) {
  Rng rng(5);
  Images t({Element::f32, 1, 1, {3, 3}, 1, 1, 1, 1}, Layout::contiguous, Layout::contiguous, rng);
  t.large.fill_whole(rng, 3);
  t.large.set(0, std::nan(""));
  t.large.set(24, std::numeric_limits<double>::infinity());
  t.backward();
  for (int i = 0; i < 9; ++i) EXPECT_EQ(std::isfinite(t.small.get(i)), i != 0 && i != 8) << i;
  EXPECT_TRUE(std::isnan(t.small.get(0)));
}

TEST(ReplicationPadBackward, TheStrideOfAnAxisOfExtentOneMayBeAnyNumber) {
  Rng rng(7);
  Images t({Element::c128, 1, 1, {1, 1}, 0, 0, 0, 0}, Layout::contiguous, Layout::contiguous, rng);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  t.large.fill_whole(rng, 9);
  kernels::ReplicationPadBackwardGeometry g;
  g.element = Element::c128;
  g.grad_output = g.grad_input = {kMost, kMost, kMost, kMost};
  const kernels::ReplicationPadBackwardBuffers b{t.large.data(), t.small.data()};
  const auto table = kernels::replication_pad2d_backward();
  EXPECT_TRUE(run_once(table, table.back(), g, b).done());
  for (int k = 0; k < 2; ++k) EXPECT_EQ(t.small.get(0, k), t.large.get(0, k));
}

TEST(ReplicationPadBackward, NothingToDoWithoutPlanes) {
  Rng rng(6);
  Images t({Element::f64, 0, 3, {3, 3}, 1, 1, 1, 1}, Layout::contiguous, Layout::contiguous, rng);
  t.backward();
  t.forward();
}

}  // namespace
}  // namespace gradproof::test
