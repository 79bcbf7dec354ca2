// MaxPool2dWithMask and its gradient against brute force over the mask's bits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "opt/kernels/forward/forward.h"
#include "tests/kernels/max_pool2d.h"

namespace gradproof::test {
namespace {

using namespace pool2d;

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
                    .done());

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
