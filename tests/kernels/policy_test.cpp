// Which kernel is chosen for a geometry on a machine, as a table for each operator. No heuristic is
// computed again here: a change of policy changes lines of these tables.
#include <gtest/gtest.h>

#include <string>

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"
#include "opt/kernels/pad/replication_pad2d_backward.h"
#include "opt/kernels/upsample/upsample_bilinear2d_backward.h"

namespace gradproof::kernels {
namespace {

/// gaps: one element between columns; row_gaps: eight elements between rows
enum class Order { planes, channels_last, gaps, row_gaps };

Strides5 strides(Order order, std::int64_t c, const Axes3& e) {
  if (order == Order::row_gaps) return strides(Order::planes, c, Axes3{e.d, e.h, e.w + 8});
  const std::int64_t area = e.h * e.w;
  if (order == Order::channels_last) return {c * e.d * area, 1, area * c, e.w * c, c};
  const std::int64_t step = order == Order::gaps ? 2 : 1;
  return {c * e.d * area * step, e.d * area * step, area * step, e.w * step, step};
}
Strides4 strides(Order order, std::int64_t c, const Axes2& e) {
  const Strides5 s = strides(order, c, Axes3{1, e.h, e.w});
  return {s.n, s.c, s.h, s.w};
}

/// The extents of a case as the table has them, for a failure's message.
std::string extents(const Axes3& e) {
  return "{" + std::to_string(e.d) + ", " + std::to_string(e.h) + ", " + std::to_string(e.w) + "}";
}
std::string extents(const Axes2& e) {
  return "{" + std::to_string(e.h) + ", " + std::to_string(e.w) + "}";
}

// Their L2 cache has 1 MiB. A kernel whose choice depends on it needs cases with other sizes.
constexpr Machine kAvx2{InstructionSet::avx2, 1, 1 << 20};
constexpr Machine kAvx512{InstructionSet::avx512, 1, 1 << 20};

struct Pool3d {
  Element element;
  std::int64_t n, c;
  Axes3 in, kernel, stride;  ///< kernel 0: adaptive, `stride` is the pooled extent
  Order order;
  const char *avx2, *avx512;
  bool drop = false;
  std::int64_t padding = 0;
};

MaxPool3dBackwardGeometry geometry(const Pool3d& p) {
  const bool adaptive = p.kernel.d == 0;
  const auto out = [&](std::int64_t Axes3::*of) {
    const std::int64_t rest = p.in.*of + 2 * p.padding - p.kernel.*of;
    return adaptive ? p.stride.*of : rest / (p.stride.*of) + 1;
  };
  MaxPool3dBackwardGeometry g;
  g.element = p.element;
  g.n = p.n, g.c = p.c, g.in = p.in;
  g.out = {out(&Axes3::d), out(&Axes3::h), out(&Axes3::w)};
  g.grad_output = g.indices = strides(p.order, p.c, g.out);
  g.grad_input = strides(p.order, p.c, g.in);
  g.windows = !adaptive;
  g.kernel = p.kernel, g.stride = p.stride, g.padding = {p.padding, p.padding, p.padding};
  g.drop = p.drop;
  return g;
}

TEST(Policy, MaxPool3dBackward) {
  constexpr auto f32 = Element::f32, f16 = Element::f16, bf16 = Element::bf16;
  constexpr auto planes = Order::planes, last = Order::channels_last, gaps = Order::gaps,
                 rows = Order::row_gaps;
  constexpr Axes3 k2{2, 2, 2}, k3{3, 3, 3}, adaptive{0, 0, 0};
  const Pool3d cases[] = {
      // Halving, planes that are summed whole, rings.
      {f32, 1, 2, {2, 2, 2}, k2, k2, planes, "scatter planes", "scatter planes"},
      {f32, 1, 2, {8, 8, 8}, k2, k2, planes, "scatter planes", "scatter planes"},
      {f32, 1, 2, {17, 32, 33}, k2, k2, planes, "scatter ring", "scatter ring"},
      {f32, 1, 2, {17, 32, 32}, k3, k2, planes, "scatter ring", "scatter ring", false, 1},
      {f32, 1, 64, {4, 62, 66}, k2, k2, planes, "scatter planes", "scatter planes"},
      {f32, 1, 64, {4, 124, 130}, k2, k2, planes, "scatter ring", "scatter ring"},
      // Pairs of columns: rows of whole pieces of lines, and others where a ring would be one of
      // bands.
      {f32, 1, 2, {17, 32, 32}, k2, k2, planes, "select pairs", "select pairs"},
      {f32, 1, 2, {40, 24, 24}, k2, k2, planes, "scatter ring", "scatter ring"},
      {f32, 1, 1, {4, 132, 126}, k2, k2, planes, "select pairs", "select pairs"},
      {bf16, 1, 1, {4, 132, 126}, k2, k2, planes, "select pairs", "select pairs"},
      {f16, 1, 1, {4, 132, 126}, k2, k2, planes, "select pairs", "select pairs"},
      {bf16, 1, 1, {6, 48, 64}, k2, k2, planes, "select pairs", "select pairs"},
      {bf16, 1, 1, {6, 48, 68}, k2, k2, planes, "scatter ring", "scatter ring"},
      {bf16, 1, 1, {4, 8, 40}, k2, k2, planes, "select pairs", "select pairs"},
      {bf16, 1, 1, {4, 6, 40}, k2, k2, planes, "scatter planes", "scatter planes"},
      {f32, 1, 2, {17, 32, 32}, k2, {3, 2, 2}, planes, "scatter ring", "scatter ring"},
      {bf16, 1, 1, {6, 48, 66}, {2, 3, 2}, k2, planes, "scatter ring", "scatter ring"},
      {bf16, 1, 1, {6, 48, 66}, k2, k2, planes, "scatter ring", "scatter ring", false, 1},
      // The same with gaps between rows.
      {f32, 1, 1, {4, 16, 16}, k2, k2, rows, "select pairs", "select pairs"},
      {f32, 1, 1, {4, 16, 17}, k2, k2, rows, "scatter ring", "scatter ring"},
      {bf16, 1, 1, {4, 16, 17}, k2, k2, rows, "select pairs", "select pairs"},
      {bf16, 1, 1, {4, 16, 15}, k2, k2, rows, "scatter ring", "scatter ring"},
      // Few outputs: lines of zeros, unless a small plane is summed in place.
      {bf16, 1, 16, {8, 8, 8}, adaptive, k2, planes, "scatter planes", "scatter planes"},
      {bf16, 1, 16, {16, 16, 16}, adaptive, k2, planes, "scatter lines", "scatter lines"},
      {f32, 1, 16, {16, 16, 16}, adaptive, k2, planes, "scatter planes", "scatter planes"},
      {f32, 1, 64, {16, 16, 16}, adaptive, k2, planes, "scatter lines", "scatter lines"},
      {f32, 2, 1, {70, 40, 50}, adaptive, {6, 5, 5}, planes, "scatter lines", "scatter lines"},
      {f32, 1, 8, {32, 56, 56}, adaptive, {7, 7, 7}, planes, "scatter lines", "scatter lines"},
      {f32, 1, 8, {16, 56, 56}, adaptive, {7, 7, 7}, planes, "scatter ring", "scatter ring"},
      // Channels that are contiguous, and copies of what has strided columns.
      {f32, 1, 64, {4, 16, 16}, k2, k2, last, "scatter channels", "scatter channels"},
      {f32, 1, 64, {4, 128, 128}, k2, k2, last, "scatter channels", "scatter channels"},
      {f32, 1, 48, {4, 16, 16}, k2, k2, last, "scatter channels", "scatter channels"},
      {f32, 1, 40, {4, 16, 16}, k2, k2, last, "copied planes", "copied planes"},
      {f32, 1, 2, {4, 8, 8}, k2, k2, last, "scatter ring", "scatter ring"},
      {f32, 1, 64, {4, 2048, 8192}, k2, k2, last, "scatter channels", "scatter channels"},
      {f32, 1, 64, {1, 2, 8193}, k2, k2, last, "copied planes", "copied planes"},
      {f32, 1, 8, {4, 2048, 2048}, k2, k2, last, "scatter ring", "scatter ring"},
      {f32, 1, 64, {4, 16, 16}, k2, k2, gaps, "copied planes", "copied planes"},
      // Windows of many slices, and conformance with CANN.
      {f32, 1, 1, {70, 64, 66}, {40, 2, 2}, {1, 2, 2}, planes, "scatter", "scatter"},
      {f32, 1, 2, {8, 8, 8}, k2, k2, planes, "window check", "window check", true},
      {f32, 1, 64, {4, 16, 16}, k2, k2, last, "window check", "window check", true},
  };
  for (const Pool3d& p : cases) {
    const MaxPool3dBackwardGeometry g = geometry(p);
    const auto table =
        g.windows ? max_pool3d_with_argmax_backward() : adaptive_max_pool3d_backward();
    SCOPED_TRACE(testing::Message()
                 << "case " << &p - cases << ", " << p.c << ", " << extents(p.in));
    EXPECT_STREQ(choose(table, g, kAvx2).name, p.avx2);
    EXPECT_STREQ(choose(table, g, kAvx512).name, p.avx512);
  }
}

struct Pool2d {
  Element element;
  std::int64_t n, c;
  Axes2 in, kernel, stride, padding;
  Order order;
  const char *avx2, *avx512;
};

TEST(Policy, MaxPool2dBackward) {
  constexpr auto f32 = Element::f32, bf16 = Element::bf16;
  constexpr auto planes = Order::planes, last = Order::channels_last;
  constexpr Axes2 k2{2, 2}, k3{3, 3}, k5{5, 5}, one{1, 1}, none{0, 0};
  const Pool2d cases[] = {
      {f32, 1, 64, {32, 32}, k3, k2, one, last, "gather channels", "gather channels"},
      {f32, 1, 48, {32, 32}, k3, k2, one, last, "gather channels", "gather channels"},
      {f32, 1, 40, {32, 32}, k3, k2, one, last, "copied planes", "copied planes"},
      {f32, 1, 64, {8, 8}, k2, k2, none, planes, "select pairs", "gather planes"},
      {f32, 1, 64, {7, 7}, k2, k2, none, planes, "gather planes", "gather planes"},
      {bf16, 1, 64, {7, 7}, k2, k2, none, planes, "select pairs", "gather planes"},
      {bf16, 1, 64, {6, 6}, k3, k3, none, planes, "gather planes", "gather planes"},
      {f32, 1, 3, {8, 8}, k2, k2, none, planes, "select pairs", "select pairs"},
      {f32, 1, 64, {7, 7}, k3, k2, one, planes, "gather lanes", "gather planes"},
      {f32, 1, 64, {28, 28}, k2, k2, none, planes, "select pairs", "select pairs"},
      {f32, 1, 64, {28, 28}, k3, k2, one, planes, "gather rows", "gather rows"},
      {f32, 1, 64, {28, 28}, k5, one, k2, planes, "gather lanes", "gather lanes"},
      {f32, 1, 4, {28, 28}, k5, one, k2, planes, "gather rows", "gather rows"},
      // 3 × 3 that moves by one: with AVX2 lanes only beyond the caches and without padding, with
      // AVX-512 where the last 16 channels are nearly full.
      {f32, 1, 64, {28, 28}, k3, one, one, planes, "gather rows", "gather lanes"},
      {f32, 1, 64, {28, 28}, k3, one, none, planes, "gather rows", "gather lanes"},
      {bf16, 1, 14, {28, 28}, k3, one, one, planes, "gather rows", "gather lanes"},
      {bf16, 1, 13, {28, 28}, k3, one, one, planes, "gather rows", "gather rows"},
      {f32, 16, 40, {28, 28}, k3, one, one, planes, "gather rows", "gather rows"},
      {f32, 16, 64, {28, 28}, k3, one, one, planes, "gather rows", "gather lanes"},
      {f32, 16, 64, {28, 28}, k3, one, none, planes, "gather lanes", "gather lanes"},
      {bf16, 1, 1, {64, 64}, {9, 9}, one, {4, 4}, planes, "scatter", "scatter"},
      {bf16, 1, 64, {40, 40}, {17, 17}, one, {8, 8}, planes, "scatter", "scatter"},
  };
  for (const Pool2d& p : cases) {
    MaxPool2dBackwardGeometry g;
    g.element = p.element;
    g.n = p.n, g.c = p.c, g.in = p.in;
    g.out = {(p.in.h + 2 * p.padding.h - p.kernel.h) / p.stride.h + 1,
             (p.in.w + 2 * p.padding.w - p.kernel.w) / p.stride.w + 1};
    g.kernel = p.kernel, g.stride = p.stride, g.padding = p.padding;
    g.grad_output = strides(p.order, p.c, g.out);
    g.grad_input = strides(p.order, p.c, g.in);
    SCOPED_TRACE(testing::Message()
                 << "case " << &p - cases << ", " << p.c << ", " << extents(p.in));
    EXPECT_STREQ(choose(max_pool2d_with_mask_backward(), g, kAvx2).name, p.avx2);
    EXPECT_STREQ(choose(max_pool2d_with_mask_backward(), g, kAvx512).name, p.avx512);
  }
}

TEST(Policy, UpsampleBackward) {
  const auto chosen = [](std::int64_t c, const Axes2& in, Order order) {
    UpsampleBackwardGeometry g;
    g.c = c, g.in = in, g.out = {2 * in.h, 2 * in.w};
    g.grad_output = strides(order, c, g.out);
    g.grad_input = strides(order, c, g.in);
    return std::string(choose(upsample_bilinear2d_backward(), g, kAvx2).name);
  };
  EXPECT_EQ(chosen(16, {8, 8}, Order::channels_last), "gather channels");
  EXPECT_EQ(chosen(1, {8, 8}, Order::channels_last), "gather rows");
  EXPECT_EQ(chosen(16, {8, 8}, Order::planes), "gather rows");
  EXPECT_EQ(chosen(1, {7, 9}, Order::planes), "gather");
  EXPECT_EQ(chosen(2, {4, 4}, Order::channels_last), "gather");
}

TEST(Policy, PadBackward) {
  const auto chosen = [](Element element, Order order) {
    ReplicationPadBackwardGeometry g;
    g.element = element;
    g.c = 3, g.in = {5, 6}, g.out = {7, 8}, g.left = g.top = 1;
    g.grad_output = strides(order, g.c, g.out);
    g.grad_input = strides(order, g.c, g.in);
    return std::string(choose(replication_pad2d_backward(), g, kAvx2).name);
  };
  EXPECT_EQ(chosen(Element::f32, Order::planes), "copies and edges");
  EXPECT_EQ(chosen(Element::c128, Order::channels_last), "copies and edges");
  EXPECT_EQ(chosen(Element::f32, Order::gaps), "gather rows");
  EXPECT_EQ(chosen(Element::bf16, Order::planes), "gather rows");
}

}  // namespace
}  // namespace gradproof::kernels
