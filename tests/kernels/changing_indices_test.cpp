// Indices that another thread changes while a kernel runs: results may be anything, but nothing
// outside gradInput's elements and the workspace is written. Every kernel of both tables runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "tests/kernels/run_kernel.h"

#ifndef __SANITIZE_THREAD__  // the race is the point

namespace gradproof::test {
namespace {

using kernels::Axes3;
using kernels::Element;
using kernels::Strides5;

enum class Layout { contiguous, gaps, channels_last };

struct Pool {
  Element element;
  std::int64_t channels;
  Axes3 in, out;
  std::int32_t other;  ///< what the last index changes to, and back
  Layout layout = Layout::contiguous;
  Axes3 kernel{0, 0, 0};  ///< windows of this size side by side; without: adaptive
};

constexpr auto kTime = std::chrono::milliseconds(20);  // of each kernel, so that threads meet

constexpr std::int64_t kStepped = 1024;  // positions; a step takes 10 us on a virtual machine

constexpr std::byte kUntouched{0xa5};
constexpr std::size_t kGuard = 4096;

/// Strides, and where they lead. Gaps are between columns.
struct View {
  View(const Pool& p, const Axes3& extents) : channels(p.channels), e(extents) {
    const std::int64_t step = p.layout == Layout::channels_last ? p.channels
                              : p.layout == Layout::gaps        ? 2
                                                                : 1;
    const std::int64_t plane = e.d * e.h * e.w * step;
    s = {0, p.layout == Layout::channels_last ? 1 : plane, e.h * e.w * step, e.w * step, step};
    elements =
        static_cast<std::size_t>(p.layout == Layout::channels_last ? plane : plane * channels);
  }
  /// The element that is number `i` of a contiguous tensor.
  std::size_t at(std::int64_t i) const {
    const std::int64_t w = i % e.w, h = i / e.w % e.h, d = i / (e.w * e.h) % e.d;
    const std::int64_t c = i / (e.w * e.h * e.d);
    return static_cast<std::size_t>(c * s.c + d * s.d + h * s.h + w * s.w);
  }
  std::int64_t channels;
  Axes3 e;
  Strides5 s;
  std::size_t elements;
};

/// The first position of the window of output `o` of a plane.
std::int32_t first_position(const Pool& p, std::int64_t o) {
  const std::int64_t d = o / (p.out.h * p.out.w) * p.in.d / p.out.d;
  const std::int64_t h = o / p.out.w % p.out.h * p.in.h / p.out.h;
  const std::int64_t w = o % p.out.w * p.in.w / p.out.w;
  return static_cast<std::int32_t>((d * p.in.h + h) * p.in.w + w);
}

/// A thread that changes one index alone, so that it changes often while a kernel runs.
class Changes {
 public:
  Changes(std::int32_t& at, std::int32_t other)
      : at_(at), inside_(at), thread_([this, other] {
          const std::atomic_ref index(at_);
          for (unsigned i = 0; !end_; ++i) {
            // Each value lasts about as long as a kernel takes from a check to the use.
            if (i % 64 == 0) index.store(other, std::memory_order_relaxed);
            if (i % 64 == 32) index.store(inside_, std::memory_order_relaxed);
          }
        }) {}
  ~Changes() {
    end_ = true;
    thread_.join();
    at_ = inside_;
  }

 private:
  std::int32_t& at_;
  const std::int32_t inside_;
  std::atomic<bool> end_{false};
  std::thread thread_;
};

#if defined(__x86_64__)
constinit std::int32_t* stepped = nullptr;  ///< the index that changes
constinit std::int32_t choices[2];
constinit std::uint32_t steps = 1;

/// Between two instructions of the kernel: the index changes or not, as random numbers say.
void step(int) {
  steps = steps * 1664525 + 1013904223;
  std::atomic_ref(*stepped).store(choices[steps >> 31], std::memory_order_relaxed);
}

/// Runs the work instruction by instruction, so that the index changes between any two of them. A
/// thread beside it seldom does so at the right moment, least of all on a busy machine.
template <class Work>
void run_in_steps(std::int32_t& index, std::int32_t other, const Work& work) {
  constexpr std::uint64_t kTrapFlag = 0x100;
  stepped = &index;
  choices[0] = index;
  choices[1] = other;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = step;
  sigaction(SIGTRAP, &action, &before);
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | kTrapFlag);
  work();
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~kTrapFlag);
  sigaction(SIGTRAP, &before, nullptr);
  index = choices[0];
}
#else
template <class Work>
void run_in_steps(std::int32_t&, std::int32_t, const Work& work) {
  work();
}
#endif

using Names = std::set<std::string>;

/// Runs each kernel that supports the call, and adds its name.
void expect_contained(const Pool& p, Names& ran) {
  const View from(p, p.out), to(p, p.in);
  const bool windows = p.kernel.d > 0;
  kernels::MaxPool3dBackwardGeometry g{};
  g.element = p.element;
  g.n = 1;
  g.c = p.channels;
  g.in = p.in, g.out = p.out;
  g.grad_output = g.indices = from.s;
  g.grad_input = to.s;
  g.windows = windows;
  g.padding = {0, 0, 0};
  if (windows) g.kernel = g.stride = p.kernel;
  const std::size_t size = p.element == Element::f32 ? 4 : 2;
  std::vector<std::byte> grad(from.elements * size);
  std::vector<std::byte> result(to.elements * size + 2 * kGuard, kUntouched);
  std::vector<std::int32_t> indices(from.elements);
  const std::int64_t outputs = p.out.d * p.out.h * p.out.w, volume = p.in.d * p.in.h * p.in.w;
  for (std::int64_t i = 0; i < p.channels * outputs; ++i) {
    indices[from.at(i)] = first_position(p, i % outputs);
  }
  std::int32_t& last = indices[from.at(p.channels * outputs - 1)];
  const kernels::MaxPool3dBackwardBuffers buffers{grad.data(), indices.data(),
                                                  result.data() + kGuard};
  const auto table = windows ? kernels::max_pool3d_with_argmax_backward()
                             : kernels::adaptive_max_pool3d_backward();
  for (const bool drop : {false, true}) {
    g.drop = drop;
    for (const auto& kernel : table) {
      if (!kernel.supports(g)) continue;
      ran.insert(kernel.name);
      for (const int threads : {1, 2}) {
        const kernels::CallPlan plan(table, kernel, g, machine(best_instruction_set(), threads));
        std::vector<std::byte> memory(plan.workspace_bytes() + 64 + kGuard, kUntouched);
        const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
        std::byte* const workspace = memory.data() + (64 - address % 64) % 64;
        if (threads == 1 && p.channels * volume <= kStepped) {
          run_in_steps(last, p.other, [&] { (void)plan.run(buffers, workspace); });
        } else {
          const Changes changes(last, p.other);
          const auto until = std::chrono::steady_clock::now() + kTime;
          while (std::chrono::steady_clock::now() < until) (void)plan.run(buffers, workspace);
        }
        ASSERT_TRUE(std::all_of(workspace + plan.workspace_bytes(), memory.data() + memory.size(),
                                [](std::byte b) { return b == kUntouched; }))
            << kernel.name << ": behind the workspace";
      }
    }
  }
  std::vector<bool> own(result.size());
  for (std::int64_t i = 0; i < p.channels * volume; ++i) {
    std::fill_n(own.begin() + static_cast<std::ptrdiff_t>(kGuard + to.at(i) * size), size, true);
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    ASSERT_TRUE(own[i] || result[i] == kUntouched) << "byte " << i << " of " << result.size();
  }
}

void expect_contained(std::initializer_list<Pool> pools,
                      std::span<const kernels::MaxPool3dBackwardKernel> table) {
  Names ran, all;
  int number = 0;
  for (const Pool& p : pools) {
    SCOPED_TRACE(testing::Message() << number++ << ", element " << static_cast<int>(p.element));
    expect_contained(p, ran);
  }
  for (const auto& kernel : table) all.insert(kernel.name);
  EXPECT_EQ(ran, all);
}

TEST(ChangingIndices, OfAdaptivePoolsLeadNowhereElse) {
  expect_contained(
      {
          {Element::f32, 1, {2, 4, 32}, {1, 2, 16}, INT32_MAX},
          {Element::bf16, 1, {2, 4, 32}, {1, 2, 16}, INT32_MAX},
          {Element::f16, 1, {2, 4, 32}, {1, 2, 16}, INT32_MAX, Layout::gaps},
          {Element::f32, 32, {2, 2, 4}, {1, 1, 2}, INT32_MAX, Layout::channels_last},
          {Element::f32, 4, {8, 16, 16}, {4, 8, 8}, INT32_MAX},   // sums stored in gradInput
          {Element::bf16, 4, {8, 16, 16}, {4, 8, 8}, INT32_MAX},  // sums in scratch
          {Element::bf16, 4, {16, 32, 32}, {2, 2, 4}, 16383},     // an empty line gets a term
          {Element::f32, 2, {16, 64, 64}, {2, 4, 4}, 65535},
          {Element::f32, 2, {16, 64, 64}, {2, 4, 4}, INT32_MAX},
          {Element::f32, 2, {16, 40, 40}, {8, 20, 20}, INT32_MAX},   // a ring of sums
          {Element::f16, 2, {16, 40, 40}, {8, 20, 20}, INT32_MAX},   // a ring of rounded results
          {Element::bf16, 2, {16, 40, 40}, {7, 19, 19}, INT32_MIN},  // windows that overlap
          {Element::f16, 2, {8, 16, 16}, {4, 8, 8}, INT32_MAX, Layout::gaps},
          {Element::f32, 32, {4, 8, 8}, {2, 4, 4}, INT32_MAX, Layout::channels_last},
          {Element::bf16, 32, {4, 8, 8}, {2, 4, 4}, 255, Layout::channels_last},
      },
      kernels::adaptive_max_pool3d_backward());
}

TEST(ChangingIndices, OfWindowsLeadNowhereElse) {
  const Axes3 pairs{2, 2, 2};
  expect_contained(
      {
          {Element::f32, 1, {2, 4, 32}, {1, 2, 16}, INT32_MAX, Layout::contiguous, pairs},
          {Element::bf16, 1, {2, 4, 32}, {1, 2, 16}, INT32_MAX, Layout::contiguous, pairs},
          {Element::f16, 32, {2, 2, 4}, {1, 1, 2}, INT32_MAX, Layout::channels_last, pairs},
          {Element::f32, 4, {8, 16, 16}, {4, 8, 8}, INT32_MAX, Layout::contiguous, pairs},
          {Element::bf16, 2, {8, 40, 64}, {4, 20, 32}, INT32_MAX, Layout::contiguous, pairs},
          {Element::f16, 2, {8, 40, 64}, {4, 20, 32}, INT32_MIN, Layout::contiguous, pairs},
          {Element::f16, 2, {8, 16, 22}, {4, 8, 11}, 0, Layout::contiguous, pairs},  // a tail
          {Element::f16, 2, {8, 16, 16}, {4, 8, 8}, INT32_MAX, Layout::gaps, pairs},
          {Element::f32, 32, {4, 8, 8}, {2, 4, 4}, INT32_MAX, Layout::channels_last, pairs},
          {Element::f16, 64, {4, 8, 8}, {2, 4, 4}, -1, Layout::channels_last, pairs},
      },
      kernels::max_pool3d_with_argmax_backward());
}

}  // namespace
}  // namespace gradproof::test

#endif
