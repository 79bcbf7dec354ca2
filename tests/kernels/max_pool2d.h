// Pools with masks, random ones and brute force over the mask's bits.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"
#include "tests/kernels/run_kernel.h"
#include "tests/kernels/tensor.h"

namespace gradproof::test::pool2d {

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

inline bool runs(std::string_view kernel, const kernels::MaxPool2dBackwardGeometry& g) {
  return supports(kernels::max_pool2d_with_mask_backward(), kernel, g);
}

inline Window random_window(Rng& rng) {
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
      : Backward(e, window, layout, layout == Layout::broadcast ? Layout::contiguous : layout,
                 rng) {}
  Backward(Element e, const Window& window, Layout read, Layout result, Rng& rng)
      : t(window),
        grad_output(e, {t.n, t.c, t.out.h, t.out.w}, read, rng),
        grad_input(e, {t.n, t.c, t.in.h, t.in.w}, result, rng),
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
    grad_input.forget();  // NaN stays where a kernel does not write
    const kernels::MaxPool2dBackwardBuffers b{grad_output.data(), mask.data() + 1,
                                              grad_input.data()};
    EXPECT_TRUE(run_everywhere(kernels::max_pool2d_with_mask_backward(), g, b,
                               {grad_input.bytes().data()}, {grad_input.bytes().size()})
                    .done());
  }
  /// Wherever gradInput begins: of a cache line, whole lines are streamed.
  void check() {
    run();
    expect_right();
    grad_input.begin_line();
    run();
    expect_right();
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
      const auto at = static_cast<std::int64_t>(i);
      ASSERT_TRUE(grad_input.is(at, round_to(sums[i], g.element)))
          << at << ": " << grad_input.get(at) << " where it should be " << sums[i];
    }
    EXPECT_TRUE(grad_input.gaps_untouched());
  }
};

inline constexpr Layout kLayouts[] = {Layout::contiguous, Layout::permuted_with_gaps,
                                      Layout::channel_last, Layout::broadcast};
inline constexpr Element kElements[] = {Element::f32, Element::f16, Element::bf16};

}  // namespace gradproof::test::pool2d
