// MaxPool2dWithMask and its gradient against brute force over the mask's bits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "opt/kernels/forward.h"
#include "opt/kernels/max_pool2d_with_mask_backward.h"
#include "tests/kernels/run_kernel.h"
#include "tests/kernels/tensor.h"

namespace gradproof::test {
namespace {

using kernels::Axes2;

struct Window {
  std::int64_t n = 1, c = 1;
  Axes2 in, out, kernel, stride, padding;

  std::int64_t positions() const { return ((out.h * out.w + 15) / 16 + 1) * 16; }
  std::int64_t mask_bytes() const { return n * c * kernel.h * kernel.w * positions() * 2; }
  /// Byte and bit of channel c of sample n at kernel position k, output position p.
  std::pair<std::size_t, int> bit(std::int64_t in_n, std::int64_t in_c, std::int64_t k,
                                  std::int64_t p) const {
    const std::int64_t word =
        ((in_n * ((c + 15) / 16) + in_c / 16) * (kernel.h * kernel.w) + k) * positions() + p;
    return {static_cast<std::size_t>(word * 2 + in_c % 16 / 8), static_cast<int>(in_c % 8)};
  }
};

std::string_view row_of(const kernels::MaxPool2dBackwardGeometry& g) {
  return choose(kernels::max_pool2d_with_mask_backward(), g).name;
}

Window random_window(Rng& rng) {
  Window t;
  t.n = pick(rng, 1, 2), t.c = pick(rng, 1, 35);
  for (auto axis : {&Axes2::h, &Axes2::w}) {
    t.in.*axis = pick(rng, 1, 9);
    t.kernel.*axis = pick(rng, 1, 4);
    t.stride.*axis = pick(rng, 1, 5);
    t.padding.*axis = pick(rng, 0, t.kernel.*axis / 2);
    t.in.*axis = std::max(t.in.*axis, t.kernel.*axis - 2 * (t.padding.*axis));
    t.out.*axis = (t.in.*axis + 2 * (t.padding.*axis) - t.kernel.*axis) / t.stride.*axis + 1;
  }
  return t;
}

struct Backward {
  Window t;
  kernels::MaxPool2dBackwardGeometry g;
  Tensor grad_output, grad_input;
  std::vector<std::uint8_t> mask;  ///< starts at an odd address

  Backward(Element e, const Window& window, Layout layout, Rng& rng)
      : t(window),
        grad_output(e, {t.n, t.c, t.out.h, t.out.w}, layout, rng),
        grad_input(e, {t.n, t.c, t.in.h, t.in.w},
                   layout == Layout::broadcast ? Layout::contiguous : layout, rng),
        mask(static_cast<std::size_t>(t.mask_bytes()) + 1) {
    g.element = e;
    g.n = t.n, g.c = t.c, g.in = t.in, g.out = t.out;
    g.kernel = t.kernel, g.stride = t.stride, g.padding = t.padding;
    g.grad_output = grad_output.strides4();
    g.grad_input = grad_input.strides4();
    grad_output.fill_whole(rng, 8);
    for (auto& byte : mask) byte = static_cast<std::uint8_t>(pick(rng, 0, 255) & pick(rng, 0, 255));
  }
  /// As the forward makes masks: one bit of each output, which points beside no row; anything where
  /// words mean nothing.
  void set_one_bit_each(Rng& rng) {
    for (std::int64_t n = 0; n < t.n; ++n)
      for (std::int64_t c = 0; c < t.c; ++c)
        for (std::int64_t p = 0; p < t.out.h * t.out.w; ++p) {
          const std::int64_t left = p % t.out.w * t.stride.w - t.padding.w;
          const std::int64_t kw =
              pick(rng, std::max<std::int64_t>(0, -left), std::min(t.kernel.w, t.in.w - left) - 1);
          const std::int64_t chosen = pick(rng, 0, t.kernel.h - 1) * t.kernel.w + kw;
          for (std::int64_t k = 0; k < t.kernel.h * t.kernel.w; ++k)
            set_bit(n, c, k, p, k == chosen);
        }
  }
  void set_bit(std::int64_t n, std::int64_t c, std::int64_t k, std::int64_t p, bool value) {
    const auto [byte, bit] = t.bit(n, c, k, p);
    std::uint8_t& of = mask[byte + 1];
    of = static_cast<std::uint8_t>((of & ~(1 << bit)) | (value ? 1 << bit : 0));
  }
  void run() {
    const kernels::MaxPool2dBackwardBuffers b{grad_output.data(), mask.data() + 1,
                                              grad_input.data()};
    EXPECT_TRUE(run_everywhere(kernels::max_pool2d_with_mask_backward(), g, b,
                               {grad_input.bytes().data()}, {grad_input.bytes().size()})
                    .ok);
  }
  void expect_right() {
    std::vector<double> sums(static_cast<std::size_t>(grad_input.count()));
    for (std::int64_t n = 0; n < t.n; ++n)
      for (std::int64_t c = 0; c < t.c; ++c)
        for (std::int64_t k = 0; k < t.kernel.h * t.kernel.w; ++k)
          for (std::int64_t p = 0; p < t.out.h * t.out.w; ++p) {
            const auto [byte, bit] = t.bit(n, c, k, p);
            const std::int64_t h = p / t.out.w * t.stride.h - t.padding.h + k / t.kernel.w;
            const std::int64_t w = p % t.out.w * t.stride.w - t.padding.w + k % t.kernel.w;
            if (!(mask[byte + 1] >> bit & 1) || h < 0 || h >= t.in.h || w < 0 || w >= t.in.w)
              continue;
            sums[static_cast<std::size_t>(((n * t.c + c) * t.in.h + h) * t.in.w + w)] +=
                grad_output.get((n * t.c + c) * t.out.h * t.out.w + p);
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

TEST(MaxPool2dBackward, RandomMasksAgreeWithBruteForce) {
  Rng rng(1);
  for (int round = 0; round < 150; ++round) {
    Backward t(kElements[round % 3], random_window(rng), kLayouts[pick(rng, 0, 3)], rng);
    t.run();
    t.expect_right();
  }
}

TEST(MaxPool2dBackward, PlanesThatAreSplitIntoBlocks) {
  Rng rng(2);
  Window wide{1, 17, {5, 2500}, {3, 1250}, {3, 3}, {2, 2}, {1, 1}},
      tall{1, 3, {700, 31}, {234, 11}, {5, 4}, {3, 3}, {2, 2}};
  for (const Window& window : {wide, tall}) {
    for (const Element e : kElements) {
      Backward t(e, window, Layout::contiguous, rng);
      t.run();
      t.expect_right();
    }
  }
}

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
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      Backward t(e, window, Layout::contiguous, rng);
      EXPECT_EQ(row_of(t.g), "mask pairs");
      t.grad_output.set(0, -0.0);
      t.grad_output.set(1, std::numeric_limits<double>::infinity());
      t.run();
      t.expect_right();
    }
  }
}

TEST(MaxPool2dBackward, WindowsOfThreeAtStrideTwoThatAreStreamed) {
  Rng rng(11);
  const Window windows[] = {
      {1, 16, {150, 224}, {75, 112}, {3, 3}, {2, 2}, {1, 1}},
      {1, 16, {151, 224}, {76, 112}, {3, 3}, {2, 2}, {1, 1}},  // an odd row at the end
      {1, 16, {151, 226}, {75, 112}, {3, 3}, {2, 2}, {0, 0}},  // rows that are no whole vectors
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      Backward t(e, window, Layout::contiguous, rng);
      EXPECT_EQ(row_of(t.g), "mask rows");
      t.grad_output.set(1, std::numeric_limits<double>::infinity());  // in one channel's first rows
      t.run();
      t.expect_right();
    }
  }
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
      const bool overlap = t.g.kernel.h > t.g.stride.h || t.g.kernel.w > t.g.stride.w;
      const bool wanted = !overlap || best_instruction_set() == InstructionSet::avx512;
      EXPECT_EQ(row_of(t.g) == "mask planes", wanted);
      t.grad_output.set(0, -0.0);
      t.grad_output.set(1, std::numeric_limits<double>::infinity());
      t.run();
      t.expect_right();
      // Samples inside channels: planes that are not neighbours. All rows must agree.
      t.g.through_f16 = e == Element::f32;
      t.g.grad_output.c = window.n * (t.g.grad_output.n = window.out.h * window.out.w);
      t.g.grad_input.c = window.n * (t.g.grad_input.n = window.in.h * window.in.w);
      EXPECT_EQ(row_of(t.g) == "mask planes", wanted);
      t.run();
    }
  }
}

TEST(MaxPool2dBackward, ChannelsLastIsSelectedInPlaceOrCopied) {
  Rng rng(7);
  const Window windows[] = {
      {3, 40, {14, 15}, {7, 7}, {3, 3}, {2, 2}, {1, 0}},     // a group that is half empty
      {30, 16, {16, 16}, {8, 8}, {2, 2}, {2, 2}, {0, 0}},    // several samples at a time
      {2, 100, {90, 90}, {45, 45}, {3, 3}, {2, 2}, {1, 1}},  // several parts of a sample
      {1, 64, {64, 130}, {32, 65}, {2, 2}, {2, 2}, {0, 0}},
      {1, 32, {9, 41}, {9, 41}, {3, 5}, {1, 1}, {1, 2}},   // windows that overlap a good deal
      {2, 96, {23, 30}, {4, 6}, {2, 3}, {5, 5}, {1, 1}},   // and such with gaps between them
      {1, 32, {9, 9}, {10, 10}, {16, 16}, {1, 1}, {8, 8}}  // larger than the plane
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      Backward t(e, window, Layout::channel_last, rng);
      EXPECT_EQ(row_of(t.g), window.c % 32 == 0 ? "mask channels" : "copied planes");
      t.run();
      t.expect_right();
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
      {3, 16, {300, 40}, {300, 40}, {3, 3}, {1, 1}, {1, 1}},  // streamed
      {1, 10, {700, 1}, {350, 2}, {4, 15}, {2, 1}, {1, 7}},   // mostly border
  };
  for (const Window& window : windows) {
    for (const Element e : kElements) {
      for (const Layout layout : {Layout::contiguous, Layout::permuted_with_gaps}) {
        Backward t(e, window, layout, rng);
        if (layout == Layout::contiguous) {
          EXPECT_EQ(row_of(t.g), "mask lanes");
        }
        t.grad_output.set(0, -0.0);
        t.grad_output.set(1, std::numeric_limits<double>::infinity());
        t.run();
        t.expect_right();
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
        t.run();
        t.expect_right();
        // A bit that may point beside the row, none, and two.
        const std::int64_t k = window.kernel.h * window.kernel.w - 1;
        const std::int64_t p = window.out.h * window.out.w - 1;
        for (std::int64_t i = 0; i <= k; ++i) t.set_bit(0, window.c - 1, i, p, i == k);
        t.run();
        t.expect_right();
        t.set_bit(0, window.c - 1, k, p, false);
        t.set_bit(0, window.c - 1, k / 2, p, false);
        t.run();
        t.expect_right();
        t.set_bit(0, window.c - 1, k, p, true);
        t.set_bit(0, window.c - 1, k / 2, p, true);
        t.run();
        t.expect_right();
      }
    }
  }
}

// Instruction sets disagree about the sign of a NaN that a sum makes, and a sum of −0 alone is 0.
TEST(MaxPool2dBackward, InfinitiesNaNsAndNegativeZeros) {
  constexpr double kValues[] = {std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN(),
                                -0.0,
                                0x1p-24,
                                -1};
  Rng rng(9);
  for (const std::int64_t stride : {1, 2, 3}) {
    for (const std::int64_t kernel : {2, 3, 5}) {
      for (const Element e : kElements) {
        Window window{1, 17, {9, 40}, {1, 1}, {kernel, kernel}, {stride, stride}, {1, 1}};
        for (auto axis : {&Axes2::h, &Axes2::w})
          window.out.*axis = (window.in.*axis + 2 - kernel) / stride + 1;
        Backward t(e, window, Layout::contiguous, rng);
        for (std::int64_t i = 0; i < t.grad_output.count(); ++i)
          t.grad_output.set(i, kValues[pick(rng, 0, 5)]);
        t.run();
      }
    }
  }
}

TEST(MaxPool2dBackward, OnAscend910TermsAndSumsPassThroughFloat16) {
  Rng rng(3);
  Backward t(Element::f32, Window{1, 1, {1, 2}, {1, 2}, {1, 2}, {1, 1}, {0, 1}}, Layout::contiguous,
             rng);
  t.g.through_f16 = true;
  std::fill(t.mask.begin(), t.mask.end(), std::uint8_t{0});
  t.mask[1 + t.t.bit(0, 0, 1, 0).first] = 1;  // output 0, kernel position 1 → input 0
  t.mask[1 + t.t.bit(0, 0, 0, 1).first] = 1;  // output 1, kernel position 0 → input 0
  t.grad_output.set(0, 2049);                 // rounds to 2048
  t.grad_output.set(1, 1.0 + 0x1p-12);        // rounds to 1
  t.run();
  EXPECT_EQ(t.grad_input.get(0), 2048);  // 2049 rounds to 2048
  EXPECT_EQ(t.grad_input.get(1), 0);
  t.grad_output.set(0, 70000);
  t.run();
  EXPECT_EQ(t.grad_input.get(0), std::numeric_limits<double>::infinity());
}

TEST(MaxPool2dBackward, NoSamplesWriteNothing) {
  Rng rng(4);
  Backward t(Element::f16, Window{0, 5, {4, 4}, {2, 2}, {2, 2}, {2, 2}, {0, 0}}, Layout::contiguous,
             rng);
  t.run();
  EXPECT_TRUE(t.grad_input.gaps_untouched());
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  t.g.c = kMost, t.g.in = t.g.out = t.g.kernel = {kMost, kMost};
  t.run();
  EXPECT_TRUE(t.grad_input.gaps_untouched());
}

TEST(MaxPool2dForward, MaximaAndMaskAgreeWithBruteForce) {
  Rng rng(5);
  for (int round = 0; round < 150; ++round) {
    const Window t = random_window(rng);
    const Element e = kElements[round % 3];
    Tensor self(e, {t.n, t.c, t.in.h, t.in.w}, kLayouts[pick(rng, 0, 3)], rng);
    Tensor result(e, {t.n, t.c, t.out.h, t.out.w}, Layout::permuted_with_gaps, rng);
    self.fill_whole(rng, 2);
    if (round % 3 == 0) self.set(pick(rng, 0, self.count() - 1), std::nan(""));
    if (round % 7 == 0) {
      for (std::int64_t i = 0; i < self.count(); ++i)
        self.set(i, -std::numeric_limits<double>::infinity());
    }
    kernels::MaxPool2dGeometry g;
    g.element = e, g.n = t.n, g.c = t.c, g.in = t.in, g.out = t.out;
    g.kernel = t.kernel, g.stride = t.stride, g.padding = t.padding;
    g.self = self.strides4(), g.result = result.strides4(), g.mask_bytes = t.mask_bytes();
    std::vector<std::byte> mask(static_cast<std::size_t>(t.mask_bytes()) + 2, std::byte{0xff});
    const kernels::MaxPool2dBuffers b{self.data(), result.data(),
                                      reinterpret_cast<std::uint8_t*>(mask.data()) + 1};
    EXPECT_TRUE(run_everywhere(kernels::max_pool2d_with_mask(), g, b,
                               {mask.data(), result.bytes().data()},
                               {mask.size(), result.bytes().size()})
                    .ok);

    std::vector<std::byte> expected(mask.size());
    expected.front() = expected.back() = std::byte{0xff};
    for (std::int64_t o = 0; o < result.count(); ++o) {
      const std::int64_t p = o % (t.out.h * t.out.w), plane = o / (t.out.h * t.out.w);
      std::int64_t best = -1;
      double most = 0;
      for (std::int64_t k = 0; k < t.kernel.h * t.kernel.w; ++k) {
        const std::int64_t h = p / t.out.w * t.stride.h - t.padding.h + k / t.kernel.w;
        const std::int64_t w = p % t.out.w * t.stride.w - t.padding.w + k % t.kernel.w;
        if (h < 0 || h >= t.in.h || w < 0 || w >= t.in.w) continue;
        const double x = self.get((plane * t.in.h + h) * t.in.w + w);
        if (best < 0 || (!std::isnan(most) && (std::isnan(x) || x > most))) best = k, most = x;
      }
      const auto [byte, bit] = t.bit(plane / t.c, plane % t.c, best, p);
      expected[byte + 1] |= std::byte{1} << bit;
      ASSERT_TRUE(result.get(o) == most || (std::isnan(most) && std::isnan(result.get(o)))) << o;
    }
    ASSERT_EQ(mask, expected);
    EXPECT_TRUE(result.gaps_untouched());
  }
}

}  // namespace
}  // namespace gradproof::test
