// The kernels of the 2-D pool's gradient, each on geometries that lead through all of its paths.
#include <gtest/gtest.h>

#include <limits>

#include "tests/kernels/max_pool2d.h"

namespace gradproof::test {
namespace {

using namespace pool2d;

TEST(MaxPool2dBackward, WindowsOfTwoColumnsThatDoNotOverlap) {
  Rng rng(6);
  const Window windows[] = {
      {2, 17, {6, 14}, {3, 7}, {2, 2}, {2, 2}, {0, 0}},
      {1, 5, {9, 67}, {5, 33}, {2, 2}, {2, 2}, {1, 0}},       // a column that no window reaches
      {1, 5, {5, 67}, {3, 34}, {2, 2}, {2, 2}, {0, 0}},       // and a window that runs over the end
      {1, 3, {13, 3000}, {3, 1500}, {3, 2}, {5, 2}, {1, 0}},  // rows between windows
      {1, 20, {8, 1}, {4, 1}, {2, 2}, {2, 2}, {0, 0}},
      {1, 16, {150, 224}, {75, 112}, {2, 2}, {2, 2}, {0, 0}},  // streamed
      {172, 16, {14, 14}, {7, 7}, {2, 2}, {2, 2}, {0, 0}},     // short rows
      // Rows that are divided among threads within a window, and an odd one at the end.
      {1, 64, {57, 56}, {28, 28}, {2, 2}, {2, 2}, {0, 0}},
      {1, 16, {31, 160}, {10, 80}, {3, 2}, {3, 2}, {0, 0}},
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      Backward t(e, window, Layout::contiguous, rng);
      EXPECT_TRUE(runs("select pairs", t.g));
      t.grad_output.set(0, -0.0);
      t.grad_output.set(1, std::numeric_limits<double>::infinity());
      t.check();
    }
  }
}

TEST(MaxPool2dBackward, WindowsOfThreeAtStrideTwoThatAreStreamed) {
  Rng rng(11);
  const Window windows[] = {
      {1, 16, {150, 224}, {75, 112}, {3, 3}, {2, 2}, {1, 1}},
      {1, 16, {150, 208}, {75, 104}, {3, 3}, {2, 2}, {1, 1}},  // AVX-512: a row ends within a
                                                               // vector
      {1, 16, {150, 224}, {75, 113}, {3, 3}, {2, 2}, {1, 1}},  // more outputs than pairs of columns
      {1, 16, {151, 224}, {76, 112}, {3, 3}, {2, 2}, {1, 1}},  // an odd row at the end
      {1, 16, {151, 226}, {75, 112}, {3, 3}, {2, 2}, {0, 0}},  // rows that are no whole vectors
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      Backward t(e, window, Layout::contiguous, rng);
      EXPECT_TRUE(runs("gather rows", t.g));
      // In the first rows of a channel, so that some of its blocks are finite; and infinities whose
      // sums are NaN.
      const double infinity = std::numeric_limits<double>::infinity();
      t.grad_output.set(1, infinity);
      for (std::int64_t i = 0; i < window.out.w; ++i) {
        t.grad_output.set(window.out.h * window.out.w + i, i % 2 == 0 ? infinity : -infinity);
      }
      t.check();
    }
  }
}

TEST(MaxPool2dBackward, WindowsOfThreeThatMoveByOne) {
  Rng rng(12);
  const Window windows[] = {
      {1, 17, {28, 28}, {28, 28}, {3, 3}, {1, 1}, {1, 1}},
      {2, 3, {23, 35}, {23, 35}, {3, 3}, {1, 1}, {1, 1}},     // blocks of unequal rows
      {3, 16, {300, 40}, {300, 40}, {3, 3}, {1, 1}, {1, 1}},  // streamed
      {1, 16, {75, 437}, {73, 437}, {3, 3}, {1, 1}, {0, 1}},  // rows that no window is cut off at
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      Backward t(e, window, Layout::contiguous, rng);
      EXPECT_TRUE(runs("gather rows", t.g));
      t.grad_output.set(0, -0.0);
      t.grad_output.set(1, std::numeric_limits<double>::infinity());
      t.check();
    }
  }
}

// Planes of a single row follow each other, whatever the stride between rows would be.
TEST(MaxPool2dBackward, PlanesOfARowWhoseStrideIsNoRow) {
  Rng rng(31);
  for (const Element e : kElements) {
    Backward t(e, {3, 16, {1, 91}, {1, 45}, {1, 2}, {1, 2}, {0, 0}}, Layout::contiguous, rng);
    t.g.grad_input.h = 1;
    EXPECT_TRUE(runs("select pairs", t.g));
    t.check();
  }
}

// No rule limits a stride.
TEST(MaxPool2dBackward, StridesBeyondThePlane) {
  Rng rng(13);
  for (const std::int64_t stride :
       {std::int64_t{6}, std::int64_t{1} << 16, std::int64_t{1} << 61}) {
    Backward t(Element::f32, {1, 4, {5, 40}, {1, 40}, {3, 3}, {stride, 1}, {1, 1}},
               Layout::contiguous, rng);
    EXPECT_TRUE(runs("gather rows", t.g));
    const kernels::CallPlan plan(kernels::max_pool2d_with_mask_backward(), t.g, machine());
    EXPECT_LT(plan.workspace_bytes(), 1U << 20);
    t.check();
  }
  // Windows far apart in a tall plane.
  Backward t(Element::f32, {1, 1, {1203, 900}, {3, 898}, {3, 3}, {600, 1}, {0, 0}},
             Layout::contiguous, rng);
  EXPECT_TRUE(runs("gather rows", t.g));
  const kernels::CallPlan plan(kernels::max_pool2d_with_mask_backward(), t.g, machine());
  EXPECT_LT(plan.workspace_bytes(), 1U << 19);
  t.check();
}

TEST(MaxPool2dBackward, SmallPlanes) {
  Rng rng(10);
  const Window windows[] = {
      {2, 20, {7, 7}, {3, 3}, {2, 2}, {2, 2}, {0, 0}},  // a row and a column that no window reaches
      {3, 33, {7, 7}, {4, 4}, {3, 3}, {2, 2}, {1, 1}},
      {1, 16, {8, 8}, {4, 4}, {2, 2}, {2, 2}, {0, 0}},
      {1, 5, {4, 4}, {2, 4}, {2, 2}, {2, 1}, {0, 1}},    // windows that overlap on one axis
      {1, 4, {3, 21}, {1, 3}, {3, 16}, {2, 8}, {1, 5}},  // and wide ones
      {1, 4, {64, 1}, {16, 1}, {4, 2}, {4, 2}, {0, 1}},
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      Backward t(e, window, Layout::contiguous, rng);
      EXPECT_TRUE(runs("gather planes", t.g));
      t.grad_output.set(0, -0.0);
      t.grad_output.set(1, std::numeric_limits<double>::infinity());
      t.check();
      // Samples inside channels: planes that are not neighbours. All must agree.
      t.g.through_f16 = e == Element::f32;
      t.g.grad_output.c = window.n * (t.g.grad_output.n = window.out.h * window.out.w);
      t.g.grad_input.c = window.n * (t.g.grad_input.n = window.in.h * window.in.w);
      EXPECT_TRUE(runs("gather planes", t.g));
      t.run();
    }
  }
}

TEST(MaxPool2dBackward, ChannelsLastIsSelectedInPlaceOrCopied) {
  Rng rng(7);
  constexpr std::int64_t kFarApart = std::int64_t{1} << 62;
  const Window windows[] = {
      {3, 40, {14, 15}, {7, 7}, {3, 3}, {2, 2}, {1, 0}},     // a group that is half empty
      {30, 24, {16, 16}, {8, 8}, {2, 2}, {2, 2}, {0, 0}},    // several samples at a time
      {30, 16, {16, 16}, {8, 8}, {2, 2}, {2, 2}, {0, 0}},    // one word of the mask
      {2, 48, {40, 41}, {20, 21}, {3, 3}, {2, 2}, {1, 1}},   // and one more in the last group
      {2, 100, {90, 90}, {45, 45}, {3, 3}, {2, 2}, {1, 1}},  // several parts of a sample
      {1, 64, {64, 130}, {32, 65}, {2, 2}, {2, 2}, {0, 0}},
      {1, 32, {9, 41}, {9, 41}, {3, 5}, {1, 1}, {1, 2}},    // windows that overlap a good deal
      {1, 32, {9, 20}, {9, 20}, {3, 3}, {1, 1}, {1, 1}},    // nine terms inside
      {1, 32, {11, 24}, {5, 24}, {3, 3}, {2, 1}, {1, 1}},   // rows of three terms, one or two rows
      {2, 96, {23, 30}, {4, 6}, {2, 3}, {5, 5}, {1, 1}},    // and such with gaps between them
      {1, 32, {9, 9}, {10, 10}, {16, 16}, {1, 1}, {8, 8}},  // larger than the plane
      {1, 32, {2, 2}, {1, 1}, {2, 2}, {kFarApart, kFarApart}, {0, 0}}  // one window
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      Backward t(e, window, Layout::channel_last, rng);
      EXPECT_EQ(runs("gather channels", t.g), window.c % 16 == 0);
      t.check();
      for (const bool last : {false, true}) {  // channels last on one end alone
        Backward mixed(e, window, last ? Layout::channel_last : Layout::contiguous,
                       last ? Layout::contiguous : Layout::channel_last, rng);
        mixed.check();
      }
    }
  }
}

TEST(MaxPool2dBackward, OverlappingWindowsOfManyChannels) {
  Rng rng(8);
  const Window windows[] = {
      {2, 17, {20, 20}, {20, 20}, {5, 5}, {1, 1}, {2, 2}},
      {1, 8, {9, 9}, {10, 10}, {16, 16}, {1, 1}, {8, 8}},  // windows larger than the plane
      {1, 33, {5, 300}, {5, 300}, {3, 5}, {1, 1}, {1, 2}},
      {1, 9, {9, 8}, {5, 4}, {3, 3}, {2, 2}, {1, 1}},  // rows that fill no vector
      {1, 9, {2, 3}, {2, 3}, {3, 3}, {1, 1}, {1, 1}},
      {1, 20, {40, 5}, {19, 1}, {4, 4}, {2, 2}, {0, 0}},      // a column that no window reaches
      {3, 16, {300, 40}, {300, 40}, {3, 5}, {1, 1}, {1, 2}},  // streamed
      {1, 10, {700, 1}, {350, 2}, {4, 15}, {2, 1}, {1, 7}},   // mostly border
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      for (const Layout layout : {Layout::contiguous, Layout::permuted_with_gaps}) {
        Backward t(e, window, layout, rng);
        EXPECT_TRUE(runs("gather lanes", t.g));
        t.grad_output.set(0, -0.0);
        t.grad_output.set(1, std::numeric_limits<double>::infinity());
        t.check();
      }
    }
  }
}

// Where each output has one bit, terms may be scattered; some other output must not go astray.
TEST(MaxPool2dBackward, LargeWindowsWithOneMaximumEach) {
  Rng rng(11);
  const Window windows[] = {
      {2, 17, {20, 20}, {20, 20}, {5, 5}, {1, 1}, {2, 2}},
      {1, 9, {13, 12}, {13, 12}, {13, 13}, {1, 1}, {6, 6}},
      {1, 33, {12, 14}, {8, 9}, {5, 6}, {1, 1}, {0, 0}},
      {1, 10, {19, 21}, {9, 11}, {5, 5}, {2, 2}, {1, 2}},
      {1, 16, {41, 14}, {17, 4}, {8, 8}, {2, 2}, {0, 1}},  // a row and a column in no window
      {1, 20, {41, 14}, {18, 5}, {8, 8}, {2, 2}, {0, 1}},  // windows that run over the end
      {1, 17, {28, 27}, {28, 27}, {3, 3}, {1, 1}, {1, 1}},
      {1, 9, {30, 30}, {15, 15}, {4, 4}, {2, 2}, {1, 1}},
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      for (const Layout layout : {Layout::contiguous, Layout::permuted_with_gaps}) {
        Backward t(e, window, layout, rng);
        t.set_one_bit_each(rng);
        t.grad_output.set(0, -0.0);
        t.grad_output.set(1, std::numeric_limits<double>::infinity());
        t.check();
        // A bit that may point beside the row, none, and two.
        const std::int64_t k = window.kernel.h * window.kernel.w - 1;
        const std::int64_t p = window.out.h * window.out.w - 1;
        for (std::int64_t i = 0; i <= k; ++i) t.set_bit(0, window.c - 1, i, p, i == k);
        t.check();
        t.set_bit(0, window.c - 1, k, p, false);
        t.set_bit(0, window.c - 1, k / 2, p, false);
        t.check();
        t.set_bit(0, window.c - 1, k, p, true);
        t.set_bit(0, window.c - 1, k / 2, p, true);
        t.check();
      }
    }
  }
}

}  // namespace
}  // namespace gradproof::test
