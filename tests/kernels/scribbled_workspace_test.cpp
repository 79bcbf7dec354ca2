// A workspace that another thread overwrites while kernels run, as where a program uses one for two
// streams: results may be anything, but nothing outside the tensors and the workspace is touched.
// Tensors and workspace lie between pages that fault.
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "opt/kernels/forward/forward.h"
#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/mask_pool/max_pool2d_with_mask_backward.h"
#include "opt/kernels/pad/replication_pad2d_backward.h"
#include "opt/kernels/pool_window.h"
#include "opt/kernels/upsample/upsample_bilinear2d_backward.h"
#include "tests/kernels/run_kernel.h"

#ifndef __SANITIZE_THREAD__  // the race is the point

namespace gradproof::test {
namespace {

using kernels::Axes2;
using kernels::Axes3;
using kernels::Element;

constexpr auto kTime = std::chrono::milliseconds(2);  // of each kernel in each way

/// Bytes that begin, or end, where a page that faults ends, or begins.
class Fenced {
 public:
  Fenced(std::size_t bytes, bool at_end) : bytes_(bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (bytes + page - 1) / page * page;
    length_ = inner + 2 * page;
    base_ = static_cast<std::byte*>(
        mmap(nullptr, length_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED) throw std::bad_alloc();
    mprotect(base_ + page, inner, PROT_READ | PROT_WRITE);
    data_ = base_ + page + (at_end ? inner - bytes : 0);
  }
  ~Fenced() { munmap(base_, length_); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_, length_ = 0;
  std::byte *base_ = nullptr, *data_ = nullptr;
};

/// Overwrites memory with numbers of all sizes, again and again, until it is destroyed.
class Scribbler {
 public:
  explicit Scribbler(std::byte* at, std::size_t bytes)
      : thread_([this, at, bytes] {
          const std::size_t words = bytes / sizeof(std::uint64_t);
          std::uint64_t x = 88172645463325252u;
          while (!end_.load(std::memory_order_relaxed)) {
            for (int i = 0; i < 256; ++i) {
              x ^= x << 13, x ^= x >> 7, x ^= x << 17;
              std::uint64_t value = x * 0x9e3779b97f4a7c15u;
              if (x % 4 != 0) value >>= x / 4 % 64;  // small ones pass for numbers of the kernel's
              if (x % 4 == 3) value = ~value;
              std::atomic_ref word(reinterpret_cast<std::uint64_t*>(at)[(x >> 20) % words]);
              word.store(value, std::memory_order_relaxed);
            }
          }
        }) {}
  ~Scribbler() {
    end_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> end_{false};
  std::thread thread_;
};

/// What is read and what is written.
template <class Buffers>
struct Two {
  Two(std::size_t read, std::size_t written, bool at_end)
      : from(read, at_end), to(written, at_end) {}
  Buffers get() const { return {from.data(), to.data()}; }
  Fenced from, to;
};

using Names = std::set<std::string>;

/// Runs each kernel of the table that supports the geometry and has a workspace.
/// `tensors(at_end)` gives what holds the tensors, with get() for the kernel.
template <class Geometry, class Buffers, class Tensors>
void expect_contained(kernels::Table<Geometry, Buffers> table, const Geometry& g,
                      const Tensors& tensors, Names& ran) {
  for (const auto& kernel : table) {
    if (!kernel.supports(g)) continue;
    for (int i = 0; i < kInstructionSets; ++i) {
      const auto set = static_cast<InstructionSet>(i);
      if (!available(set)) continue;
      for (const int threads : {1, 2}) {
        kernels::PlanBox<kernels::Plan<Geometry, Buffers>> plan;
        kernel.plan(plan, g, machine(set, threads));
        const std::uint64_t bytes = plan->layout.bytes();
        if (bytes == 0) continue;
        ran.insert(kernel.name);
        SCOPED_TRACE(testing::Message() << kernel.name << ' ' << name(set));
        for (const bool at_end : {false, true}) {
          const Fenced workspace((bytes + 63) / 64 * 64, at_end);
          const auto held = tensors(at_end);
          const Scribbler scribbler(workspace.data(), workspace.bytes());
          const auto until = std::chrono::steady_clock::now() + kTime;
          do {
            (void)plan->run(held->get(), workspace.data());
          } while (std::chrono::steady_clock::now() < until);
        }
      }
    }
  }
}

std::size_t size_of(Element element) {
  constexpr std::size_t kSizes[] = {4, 2, 2, 8, 8, 16};
  return kSizes[static_cast<int>(element)];
}
std::size_t bytes_of(Element element, std::initializer_list<std::int64_t> shape) {
  std::size_t count = size_of(element);
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  return count;
}
kernels::Strides4 nchw(std::int64_t c, const Axes2& e) {
  return {c * e.h * e.w, e.h * e.w, e.w, 1};
}
kernels::Strides4 nhwc(std::int64_t c, const Axes2& e) { return {c * e.h * e.w, 1, e.w * c, c}; }
kernels::Strides5 ncdhw(std::int64_t c, const Axes3& e) {
  const std::int64_t slice = e.h * e.w;
  return {c * e.d * slice, e.d * slice, slice, e.w, 1};
}
kernels::Strides5 ndhwc(std::int64_t c, const Axes3& e) {
  return {c * e.d * e.h * e.w, 1, e.h * e.w * c, e.w * c, c};
}

constexpr Element kNarrow[] = {Element::f32, Element::f16, Element::bf16};

TEST(ScribbledWorkspace, OfUpsampling) {
  const struct {
    std::int64_t c;
    Axes2 in, out;
    double scale;
    bool channels_last;
  } problems[] = {
      {3, {20, 64}, {40, 128}, 0, false},  // doubled
      {2, {20, 96}, {31, 150}, 0, false},  // looked up
      {2, {40, 128}, {15, 48}, 0, false},  // disjoint
      {2, {20, 40}, {60, 400}, 0, false},  // across
      {1, {3, 5}, {7, 9}, 0, false},       // in scalars
      {2, {9, 40}, {12, 90}, 3, false},    // by a scale that does not fit
      {24, {10, 12}, {20, 25}, 0, true},   // channels
  };
  Names ran;
  const auto table = kernels::upsample_bilinear2d_backward();
  for (const auto& p : problems) {
    for (const Element element : kNarrow) {
      const kernels::UpsampleBackwardGeometry g{
          element,
          1,
          p.c,
          p.in,
          p.out,
          p.channels_last ? nhwc(p.c, p.out) : nchw(p.c, p.out),
          p.channels_last ? nhwc(p.c, p.in) : nchw(p.c, p.in),
          kernels::bilinear_axis(p.in.h, p.out.h, false, p.scale),
          kernels::bilinear_axis(p.in.w, p.out.w, false, p.scale)};
      expect_contained(
          table, g,
          [&](bool at_end) {
            return std::make_unique<Two<kernels::UpsampleBackwardBuffers>>(
                bytes_of(element, {p.c, p.out.h, p.out.w}),
                bytes_of(element, {p.c, p.in.h, p.in.w}), at_end);
          },
          ran);
    }
  }
  EXPECT_EQ(ran.size(), table.size()) << "a kernel never ran";
}

TEST(ScribbledWorkspace, OfUpsamplingForward) {
  Names ran;
  const Axes2 in{9, 40}, out{14, 100};
  for (const Element element : kNarrow) {
    const kernels::UpsampleGeometry g{element,
                                      1,
                                      2,
                                      in,
                                      out,
                                      nchw(2, in),
                                      nchw(2, out),
                                      kernels::bilinear_axis(in.h, out.h, false, 0),
                                      kernels::bilinear_axis(in.w, out.w, false, 0)};
    expect_contained(
        kernels::upsample_bilinear2d(), g,
        [&](bool at_end) {
          return std::make_unique<Two<kernels::MapBuffers>>(
              bytes_of(element, {2, in.h, in.w}), bytes_of(element, {2, out.h, out.w}), at_end);
        },
        ran);
  }
  EXPECT_EQ(ran.size(), 1u);
}

TEST(ScribbledWorkspace, OfPoolsByIndex) {
  struct Three {
    Three(std::size_t read, std::size_t outputs, std::size_t written, bool at_end)
        : grad(read, at_end), indices(4 * outputs, at_end), result(written, at_end) {}
    Fenced grad, indices, result;
    kernels::MaxPool3dBackwardBuffers get() const {
      return {grad.data(), reinterpret_cast<const std::int32_t*>(indices.data()), result.data()};
    }
  };
  const struct {
    std::int64_t c;
    Axes3 in, out, kernel;  ///< windows without overlap; adaptive where the kernel is 0
    bool channels_last;
  } problems[] = {
      {4, {8, 16, 16}, {4, 8, 8}, {0, 0, 0}, false},      // planes
      {2, {16, 64, 64}, {2, 4, 4}, {0, 0, 0}, false},     // lines
      {1, {8, 40, 40}, {5, 19, 19}, {0, 0, 0}, false},    // ring
      {2, {8, 40, 64}, {4, 20, 32}, {2, 2, 2}, false},    // pairs
      {64, {4, 8, 8}, {2, 4, 4}, {0, 0, 0}, true},        // channels
      {3, {2, 3, 9000}, {1, 2, 4000}, {0, 0, 0}, false},  // scatter
  };
  Names ran;
  for (const auto& p : problems) {
    for (const Element element : kNarrow) {
      const bool windows = p.kernel.d > 0;
      kernels::MaxPool3dBackwardGeometry g{};
      g.element = element;
      g.n = 1;
      g.c = p.c;
      g.in = p.in;
      g.out = p.out;
      g.grad_output = g.indices = p.channels_last ? ndhwc(p.c, p.out) : ncdhw(p.c, p.out);
      g.grad_input = p.channels_last ? ndhwc(p.c, p.in) : ncdhw(p.c, p.in);
      g.windows = windows;
      g.padding = {0, 0, 0};
      if (windows) g.kernel = g.stride = p.kernel;
      const std::int64_t outputs = p.out.d * p.out.h * p.out.w;
      const auto tensors = [&](bool at_end) {
        auto held = std::make_unique<Three>(
            bytes_of(element, {p.c, outputs}), static_cast<std::size_t>(p.c * outputs),
            bytes_of(element, {p.c, p.in.d, p.in.h, p.in.w}), at_end);
        auto* indices = reinterpret_cast<std::int32_t*>(held->indices.data());
        for (std::int64_t c = 0; c < p.c; ++c) {
          for (std::int64_t o = 0; o < outputs; ++o) {  // the first position of each window
            const std::int64_t d = o / (p.out.h * p.out.w) * p.in.d / p.out.d;
            const std::int64_t h = o / p.out.w % p.out.h * p.in.h / p.out.h;
            const std::int64_t w = o % p.out.w * p.in.w / p.out.w;
            const std::int64_t at = p.channels_last ? o * p.c + c : c * outputs + o;
            indices[at] = static_cast<std::int32_t>((d * p.in.h + h) * p.in.w + w);
          }
        }
        return held;
      };
      expect_contained(windows ? kernels::max_pool3d_with_argmax_backward()
                               : kernels::adaptive_max_pool3d_backward(),
                       g, tensors, ran);
    }
  }
  const Names expected{"copied planes",  "scatter",      "scatter channels", "scatter lines",
                       "scatter planes", "scatter ring", "select pairs"};
  EXPECT_EQ(ran, expected);
}

TEST(ScribbledWorkspace, OfPoolsByMask) {
  struct Three {
    Three(std::size_t read, std::size_t bits, std::size_t written, bool at_end)
        : grad(read, at_end), mask(bits, at_end), result(written, at_end) {}
    Fenced grad, mask, result;
    kernels::MaxPool2dBackwardBuffers get() const {
      return {grad.data(), reinterpret_cast<const std::uint8_t*>(mask.data()), result.data()};
    }
  };
  const struct {
    std::int64_t c;
    Axes2 in, kernel, stride;
    bool channels_last;
  } problems[] = {
      {16, {24, 24}, {3, 3}, {1, 1}, false}, {16, {24, 24}, {5, 5}, {1, 1}, false},
      {16, {20, 24}, {4, 4}, {1, 1}, false}, {16, {32, 64}, {2, 2}, {2, 2}, false},
      {16, {33, 65}, {3, 3}, {2, 2}, false}, {16, {8, 8}, {3, 3}, {2, 2}, false},
      {32, {20, 20}, {3, 3}, {2, 2}, true},  {3, {30, 50}, {2, 3}, {3, 1}, false},
  };
  Names ran;
  for (const auto& p : problems) {
    const auto extent = [](std::int64_t in, std::int64_t k, std::int64_t s) {
      return (in - k) / s + 1;
    };
    const Axes2 out{extent(p.in.h, p.kernel.h, p.stride.h), extent(p.in.w, p.kernel.w, p.stride.w)};
    for (const Element element : kNarrow) {
      kernels::MaxPool2dBackwardGeometry g{};
      g.element = element;
      g.n = 1;
      g.c = p.c;
      g.in = p.in;
      g.out = out;
      g.kernel = p.kernel;
      g.stride = p.stride;
      g.padding = {0, 0};
      g.grad_output = p.channels_last ? nhwc(p.c, out) : nchw(p.c, out);
      g.grad_input = p.channels_last ? nhwc(p.c, p.in) : nchw(p.c, p.in);
      const kernels::MaskLayout layout(p.c, p.kernel, out);
      const auto words = static_cast<std::size_t>(layout.at(g.n * layout.groups, 0, 0));
      expect_contained(
          kernels::max_pool2d_with_mask_backward(), g,
          [&](bool at_end) {
            auto held = std::make_unique<Three>(bytes_of(element, {p.c, out.h, out.w}), words,
                                                bytes_of(element, {p.c, p.in.h, p.in.w}), at_end);
            // The first of each window, so that terms can be scattered.
            for (std::int64_t group = 0; group < g.n * layout.groups; ++group) {
              const std::int64_t first = layout.at(group, 0, 0);
              std::fill_n(held->mask.data() + first, 2 * out.h * out.w, std::byte{0xff});
            }
            return held;
          },
          ran);
    }
  }
  const Names expected{"copied planes", "gather lanes", "gather planes",
                       "gather rows",   "scatter",      "select pairs"};
  EXPECT_EQ(ran, expected);
}

TEST(ScribbledWorkspace, OfPadding) {
  Names ran;
  const Axes2 in{20, 70}, out{25, 74};
  for (const Element element : {Element::f32, Element::f16, Element::c128}) {
    for (const bool channels_last : {false, true}) {
      const kernels::ReplicationPadBackwardGeometry g{element,
                                                      1,
                                                      20,
                                                      in,
                                                      out,
                                                      2,
                                                      3,
                                                      channels_last ? nhwc(20, out) : nchw(20, out),
                                                      channels_last ? nhwc(20, in) : nchw(20, in)};
      expect_contained(
          kernels::replication_pad2d_backward(), g,
          [&](bool at_end) {
            return std::make_unique<Two<kernels::ReplicationPadBackwardBuffers>>(
                bytes_of(element, {20, out.h, out.w}), bytes_of(element, {20, in.h, in.w}), at_end);
          },
          ran);
    }
  }
  EXPECT_EQ(ran, (Names{"copies and edges", "gather rows"}));
}

}  // namespace
}  // namespace gradproof::test

#endif
