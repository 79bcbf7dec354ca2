// Every kernel of a table, on every instruction set and with several threads, writes the bits
// that the last one of the table writes for the contiguous copy: whatever the strides, and with
// infinities, NaN, subnormals and negative zeros among the data.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>

#include "opt/kernels/machine.h"
#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"
#include "opt/kernels/pad/replication_pad2d_backward.h"
#include "opt/kernels/pool_window.h"
#include "opt/kernels/upsample/upsample_bilinear2d_backward.h"
#include "tests/kernels/run_kernel.h"
#include "tests/kernels/tensor.h"

namespace gradproof::test {
namespace {

using kernels::Axes2;

void fill_with_everything(Tensor& t, Rng& rng, bool special) {
  constexpr double kSpecial[] = {std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN(),
                                 0x1p-140,
                                 -0x1p-24,
                                 -0.0,
                                 65504};
  for (std::int64_t i = 0; i < t.count(); ++i) {
    const bool odd = special && pick(rng, 0, 40) == 0;
    t.set(i, odd ? kSpecial[pick(rng, 0, 6)] : std::normal_distribution<double>()(rng));
  }
}

constexpr Layout kLayouts[] = {Layout::contiguous, Layout::permuted_with_gaps,
                               Layout::channel_last};
constexpr Layout kReadLayouts[] = {Layout::contiguous, Layout::permuted_with_gaps,
                                   Layout::channel_last, Layout::broadcast};

std::vector<InstructionSet> sets_here() {
  std::vector<InstructionSet> sets;
  for (int i = 0; i < kInstructionSets; ++i) {
    if (available(static_cast<InstructionSet>(i))) sets.push_back(static_cast<InstructionSet>(i));
  }
  return sets;
}

/// How often each kernel ran, by name.
using Runs = std::map<std::string, int>;

/// `from` and `to` are the two tensors; geometry(from, to) and buffers(from, to) what a kernel
/// gets.
template <class Table, class Geometry, class Buffers>
void expect_same_bits(const Table& table, const Tensor& from, const Tensor& to,
                      const Geometry& geometry, const Buffers& buffers, Runs& runs) {
  Rng rng(1);
  Tensor dense_from(from.element(), from.shape(), Layout::contiguous, rng);
  Tensor want(to.element(), to.shape(), Layout::contiguous, rng);
  for (std::int64_t i = 0; i < from.count(); ++i) {
    std::memcpy(dense_from.place(i), from.place(i), dense_from.element_bytes());
  }
  ASSERT_TRUE(
      run_once(table, table.back(), geometry(dense_from, want), buffers(dense_from, want)).done());
  for (const auto& kernel : table) {
    if (!kernel.supports(geometry(from, to))) continue;
    ++runs[kernel.name];
    for (const InstructionSet set : sets_here()) {
      for (const int threads : {1, 2, 3}) {
        Tensor got = to;
        const auto g = geometry(from, got);
        ASSERT_TRUE(run_once(table, kernel, g, buffers(from, got), machine(set, threads)).done());
        for (std::int64_t i = 0; i < got.count(); ++i) {
          ASSERT_EQ(std::memcmp(got.place(i), want.place(i), got.element_bytes()), 0)
              << kernel.name << ", " << name(set) << ", " << threads << " threads: element " << i
              << " is " << got.get(i) << ", not " << want.get(i);
        }
        ASSERT_TRUE(got.gaps_untouched()) << kernel.name << ", " << name(set);
      }
    }
  }
}

struct Upsampling {
  Element element = Element::f32;
  std::int64_t n = 1, c = 1;
  Axes2 in, out;
  bool align = false;
  double scale_h = 0, scale_w = 0;

  void expect_kernels_agree(Layout read, Layout written, bool special, Rng& rng, Runs& runs) const {
    Tensor large(element, {n, c, out.h, out.w}, read, rng);
    const Tensor small(element, {n, c, in.h, in.w}, written, rng);
    fill_with_everything(large, rng, special);
    SCOPED_TRACE(testing::Message()
                 << "element " << static_cast<int>(element) << ", [" << n << ", " << c << "], "
                 << in.h << 'x' << in.w << " <- " << out.h << 'x' << out.w << ", layouts "
                 << static_cast<int>(read) << ' ' << static_cast<int>(written));
    expect_same_bits(
        kernels::upsample_bilinear2d_backward(), large, small,
        [&](const Tensor& from, const Tensor& to) {
          return kernels::UpsampleBackwardGeometry{
              element,
              n,
              c,
              in,
              out,
              from.strides4(),
              to.strides4(),
              kernels::bilinear_axis(in.h, out.h, align, scale_h),
              kernels::bilinear_axis(in.w, out.w, align, scale_w)};
        },
        [](const Tensor& from, Tensor& to) {
          return kernels::UpsampleBackwardBuffers{from.data(), to.data()};
        },
        runs);
  }
};

constexpr Element kNarrow[] = {Element::f32, Element::f16, Element::bf16};

TEST(KernelsAgree, UpsamplingOfRandomGeometry) {
  Rng rng(1);
  Runs runs;
  constexpr double kScales[] = {0, 0, 0.4, 1, 1.7, 3, -1};
  for (int round = 0; round < 120 && !HasFatalFailure(); ++round) {
    const bool long_rows = round % 4 == 0, many_channels = round % 4 == 1;
    const Upsampling u{kNarrow[round % 3],
                       pick(rng, 1, 3),
                       many_channels ? pick(rng, 15, 70) : pick(rng, 1, 5),
                       {pick(rng, 1, 12), long_rows ? pick(rng, 14, 50) : pick(rng, 1, 20)},
                       {pick(rng, 1, 20), long_rows ? pick(rng, 14, 80) : pick(rng, 1, 30)},
                       round % 2 == 0,
                       kScales[pick(rng, 0, 6)],
                       kScales[pick(rng, 0, 6)]};
    u.expect_kernels_agree(kReadLayouts[pick(rng, 0, 3)], kLayouts[pick(rng, 0, 2)], round % 3 != 0,
                           rng, runs);
  }
  EXPECT_EQ(runs.size(), kernels::upsample_bilinear2d_backward().size()) << "a kernel never ran";
}

TEST(KernelsAgree, UpsamplingAcrossTheSeamsOfTiles) {
  Rng rng(2);
  Runs runs;
  const Upsampling problems[] = {
      {Element::f32, 1, 2, {9, 256}, {18, 512}, false, 0, 0},  // one tile, two chunks
      {Element::f16, 1, 1, {17, 257}, {5, 300}, false, 0, 0},  // a tile of one column
      {Element::bf16, 1, 1, {5, 530}, {11, 200}, true, 0, 0},  // columns without a source
      {Element::f32, 1, 1, {2, 40}, {3, 900}, false, 0, 3},    // most positions on the last column
      {Element::f32, 2, 300, {3, 5}, {5, 9}, false, 0, 0},     // two tiles of channels
      {Element::f16, 1, 17, {4, 140}, {7, 260}, false, 0, 0},  // channels that fill no vector
      {Element::f32, 1, 3, {40, 3}, {170, 7}, false, 0, 0},    // many rows into one
  };
  for (const Upsampling& u : problems) {
    for (const Layout layout : kLayouts) {
      u.expect_kernels_agree(layout, layout, true, rng, runs);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

TEST(KernelsAgree, UpsamplingThatStreams) {
  Rng rng(3);
  Runs runs;
  for (const Element element : {Element::f32, Element::bf16}) {
    const std::int64_t side = element == Element::f32 ? 301 : 421;
    for (const Layout layout : kLayouts) {
      const Upsampling u{element, 1, 3, {side, side}, {240, 200}, false, 0, 0};
      ASSERT_GE(3 * side * side * (element == Element::f32 ? 4 : 2), kernels::kStreamedBytes);
      u.expect_kernels_agree(layout, layout, false, rng, runs);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

struct Padding {
  Element element = Element::f32;
  std::int64_t n = 1, c = 1;
  Axes2 in, out;
  std::int64_t left = 0, top = 0;

  void expect_kernels_agree(Layout read, Layout written, Rng& rng, Runs& runs) const {
    Tensor large(element, {n, c, out.h, out.w}, read, rng);
    const Tensor small(element, {n, c, in.h, in.w}, written, rng);
    fill_with_everything(large, rng, true);
    SCOPED_TRACE(testing::Message() << "element " << static_cast<int>(element) << ", [" << n << ", "
                                    << c << "], " << in.h << 'x' << in.w << " <- " << out.h << 'x'
                                    << out.w << " from " << top << ", " << left << ", layouts "
                                    << static_cast<int>(read) << ' ' << static_cast<int>(written));
    expect_same_bits(
        kernels::replication_pad2d_backward(), large, small,
        [&](const Tensor& from, const Tensor& to) {
          return kernels::ReplicationPadBackwardGeometry{
              element, n, c, in, out, left, top, from.strides4(), to.strides4()};
        },
        [](const Tensor& from, Tensor& to) {
          return kernels::ReplicationPadBackwardBuffers{from.data(), to.data()};
        },
        runs);
  }
};

constexpr Element kWide[] = {Element::f32, Element::f16, Element::f64, Element::c64, Element::c128};

TEST(KernelsAgree, PaddingOfRandomGeometry) {
  Rng rng(4);
  Runs runs;
  for (int round = 0; round < 150 && !HasFatalFailure(); ++round) {
    const Element element = kWide[round % 5];
    const bool streams = round % 30 == 0;
    const std::int64_t n = pick(rng, 1, 2), c = streams ? 3 : pick(rng, 1, 20);
    const Axes2 in =
        streams ? Axes2{300, 300} : Axes2{pick(rng, 1, 9), pick(rng, 1, round % 2 ? 9 : 90)};
    const auto side = [&](std::int64_t extent) { return std::min(extent - 1, pick(rng, -2, 4)); };
    const std::int64_t left = side(in.w), top = side(in.h);
    const Axes2 out{std::max<std::int64_t>(1, in.h + top + side(in.h)),
                    std::max<std::int64_t>(1, in.w + left + side(in.w))};
    const Layout written = kLayouts[pick(rng, 0, 2)];
    const Layout read = round % 3 == 0 ? written : kReadLayouts[pick(rng, 0, 3)];
    Padding{element, n, c, in, out, left, top}.expect_kernels_agree(read, written, rng, runs);
  }
  EXPECT_EQ(runs.size(), kernels::replication_pad2d_backward().size()) << "a kernel never ran";
}

TEST(KernelsAgree, PaddingOfRowsThatAreStreamedOneByOne) {
  Rng rng(7);
  Runs runs;
  const Padding problems[] = {
      {Element::f32, 1, 37, {60, 130}, {64, 133}, 2, 3},    // channels that fill no vector
      {Element::f16, 2, 64, {40, 140}, {38, 137}, -2, 1},   // cropped columns and rows
      {Element::f64, 1, 5, {70, 500}, {71, 501}, 0, 0},     // fewer channels than lanes
      {Element::c64, 1, 33, {40, 101}, {42, 103}, 1, 1},    // an odd number of complex ones
      {Element::c128, 1, 700, {60, 2}, {61, 4}, 1, 1},      // ends alone
      {Element::f32, 1, 4100, {70, 1}, {72, 3}, 1, 1},      // one column, which is both ends
      {Element::f32, 1, 1, {80, 4100}, {81, 4099}, -3, 0},  // a plane
  };
  for (const Padding& p : problems) {
    const Layout layout = p.c == 1 ? Layout::contiguous : Layout::channel_last;
    p.expect_kernels_agree(layout, layout, rng, runs);
    ASSERT_FALSE(HasFatalFailure());
  }
}

/// A contiguous result that begins a cache line.
class Lines {
 public:
  explicit Lines(std::size_t bytes) : room_(bytes + kernels::kLine), bytes_(bytes) {}
  std::byte* data() {
    const auto misfit = reinterpret_cast<std::uintptr_t>(room_.data()) % kernels::kLine;
    return room_.data() + (kernels::kLine - misfit) % kernels::kLine;
  }
  void clear() { std::fill(room_.begin(), room_.end(), std::byte{0xff}); }
  bool operator==(Lines& other) { return std::memcmp(data(), other.data(), bytes_) == 0; }

 private:
  std::vector<std::byte> room_;
  std::size_t bytes_;
};

template <class Table, class Geometry, class BuffersOf>
void expect_same_lines(const Table& table, const Geometry& g, std::size_t bytes,
                       const BuffersOf& buffers) {
  ASSERT_GE(bytes, static_cast<std::size_t>(kernels::kStreamedBytes));
  Lines want(bytes), got(bytes);
  ASSERT_TRUE(run_once(table, table.back(), g, buffers(want.data())).done());
  for (const InstructionSet set : sets_here()) {
    for (const int threads : {1, 2}) {
      got.clear();
      const kernels::Machine on = machine(set, threads);
      ASSERT_TRUE(run_once(table, choose(table, g, on), g, buffers(got.data()), on).done());
      ASSERT_TRUE(got == want) << name(set) << ", " << threads << " threads";
    }
  }
}

TEST(KernelsAgree, UpsamplingIntoWholeLines) {
  Rng rng(5);
  const Axes2 in{320, 320};
  for (const Element element : kNarrow) {
    for (const std::int64_t w : {120, 500}) {
      const Axes2 out{100, w};
      Tensor from(element, {1, 6, out.h, out.w}, Layout::contiguous, rng);
      fill_with_everything(from, rng, true);
      const kernels::UpsampleBackwardGeometry g{element,
                                                1,
                                                6,
                                                in,
                                                out,
                                                from.strides4(),
                                                {0, in.h * in.w, in.w, 1},
                                                kernels::bilinear_axis(in.h, out.h, false, 0),
                                                kernels::bilinear_axis(in.w, out.w, false, 0)};
      const auto bytes = static_cast<std::size_t>(6 * in.h * in.w) * from.element_bytes();
      expect_same_lines(kernels::upsample_bilinear2d_backward(), g, bytes, [&](std::byte* to) {
        return kernels::UpsampleBackwardBuffers{from.data(), to};
      });
      ASSERT_FALSE(HasFatalFailure()) << w;
    }
  }
}

TEST(KernelsAgree, PaddingIntoWholeLines) {
  Rng rng(6);
  const Axes2 in{300, 320};
  for (const Element element : kWide) {
    for (const std::int64_t left : {2, -1}) {
      const Axes2 out{in.h + 3, in.w + left + 1};
      Tensor from(element, {1, 6, out.h, out.w}, Layout::contiguous, rng);
      fill_with_everything(from, rng, true);
      const kernels::ReplicationPadBackwardGeometry g{
          element, 1, 6, in, out, left, 1, from.strides4(), {0, in.h * in.w, in.w, 1}};
      const auto bytes = static_cast<std::size_t>(6 * in.h * in.w) * from.element_bytes();
      expect_same_lines(kernels::replication_pad2d_backward(), g, bytes, [&](std::byte* to) {
        return kernels::ReplicationPadBackwardBuffers{from.data(), to};
      });
      ASSERT_FALSE(HasFatalFailure()) << left;
    }
  }
}

/// Of each output and channel one bit, in some row of its window and in the middle column.
std::vector<std::uint8_t> mask_of_one_each(const kernels::MaxPool2dBackwardGeometry& g, Rng& rng) {
  const kernels::MaskLayout layout(g.c, g.kernel, g.out);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(layout.at(g.n * layout.groups, 0, 0)));
  for (std::int64_t group = 0; group < g.n * layout.groups; ++group) {
    for (std::int64_t p = 0; p < g.out.h * g.out.w; ++p) {
      for (int bit = 0; bit < 16; ++bit) {
        const std::int64_t k = pick(rng, 0, g.kernel.h - 1) * g.kernel.w + g.kernel.w / 2;
        std::uint8_t& byte = mask[static_cast<std::size_t>(layout.at(group, k, p) + bit / 8)];
        byte = static_cast<std::uint8_t>(byte | 1 << bit % 8);
      }
    }
  }
  return mask;
}

TEST(KernelsAgree, PoolingIntoWholeLines) {
  Rng rng(7);
  struct {
    Axes2 in, out;
    std::int64_t kernel, stride, padding;
  } const problems[] = {
      {{14, 14}, {7, 7}, 2, 2, 0},  // planes that begin within a vector
      {{16, 16}, {8, 8}, 2, 2, 0},   {{20, 20}, {20, 20}, 5, 1, 2},
      {{28, 32}, {28, 32}, 3, 1, 1}, {{28, 32}, {14, 16}, 4, 2, 1},
  };
  for (const Element element : kNarrow) {
    for (const auto& p : problems) {
      const std::int64_t area = p.in.h * p.in.w, size = element == Element::f32 ? 4 : 2;
      const std::int64_t n = kernels::kStreamedBytes / (32 * area * size) + 1;
      Tensor from(element, {n, 32, p.out.h, p.out.w}, Layout::contiguous, rng);
      fill_with_everything(from, rng, true);
      kernels::MaxPool2dBackwardGeometry g;
      g.element = element;
      g.n = n, g.c = 32, g.in = p.in, g.out = p.out;
      g.kernel = {p.kernel, p.kernel}, g.stride = {p.stride, p.stride};
      g.padding = {p.padding, p.padding};
      g.grad_output = from.strides4();
      g.grad_input = {32 * area, area, p.in.w, 1};
      auto mask = mask_of_one_each(g, rng);
      if (p.kernel == 2) {
        for (auto& byte : mask) byte = static_cast<std::uint8_t>(pick(rng, 0, 255));
      }
      const auto bytes = static_cast<std::size_t>(n * 32 * area * size);
      expect_same_lines(kernels::max_pool2d_with_mask_backward(), g, bytes, [&](std::byte* to) {
        return kernels::MaxPool2dBackwardBuffers{from.data(), mask.data(), to};
      });
      ASSERT_FALSE(HasFatalFailure()) << p.in.w;
    }
  }
}

}  // namespace
}  // namespace gradproof::test
