// Indices that another thread changes while a kernel runs: results may be anything, but nothing
// outside gradInput and the workspace is written.
#include <gtest/gtest.h>

#include <atomic>
#include <string_view>
#include <thread>
#include <vector>

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "tests/kernels/run_kernel.h"

#ifndef __SANITIZE_THREAD__  // the race is the point

namespace gradproof::test {
namespace {

using kernels::Element;

struct Pool {
  Element element;
  std::int64_t planes;
  kernels::Axes3 in, out;  ///< adaptive
  std::int32_t other;
};

#ifdef __SANITIZE_ADDRESS__
constexpr int kRuns = 100;  // an access outside is reported, and need not hit a guard
#else
constexpr int kRuns = 1000;
#endif

/// Runs each kernel that supports the call. Contiguous tensors, an own position for each output.
/// The last index changes to `other` and back.
void expect_contained(const Pool& p) {
  const std::int64_t volume = p.in.d * p.in.h * p.in.w, outputs = p.out.d * p.out.h * p.out.w;
  const auto strides = [](const kernels::Axes3& e) {
    const std::int64_t plane = e.d * e.h * e.w;
    return kernels::Strides5{0, plane, e.h * e.w, e.w, 1};
  };
  kernels::MaxPool3dBackwardGeometry g;
  g.element = p.element;
  g.c = p.planes;
  g.in = p.in, g.out = p.out;
  g.grad_output = g.indices = strides(p.out);
  g.grad_input = strides(p.in);
  constexpr std::size_t kGuard = 4096;
  const std::size_t size = p.element == Element::f32 ? 4 : 2;
  std::vector<std::byte> grad(static_cast<std::size_t>(p.planes * outputs) * size);
  std::vector<std::byte> result(static_cast<std::size_t>(p.planes * volume) * size + 2 * kGuard,
                                std::byte{0xa5});
  std::vector<std::int32_t> indices(static_cast<std::size_t>(p.planes * outputs));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    indices[i] =
        static_cast<std::int32_t>(static_cast<std::int64_t>(i) % outputs * (volume / outputs));
  }
  // One index alone, so that it changes often while a kernel runs.
  const std::int32_t inside = indices.back();
  std::atomic<bool> end{false};
  std::thread changes([&] {
    const std::atomic_ref index(indices.back());
    for (unsigned i = 0; !end; ++i) {
      // Each value lasts about as long as a kernel takes from a check to the use.
      if (i % 64 == 0) index.store(p.other, std::memory_order_relaxed);
      if (i % 64 == 32) index.store(inside, std::memory_order_relaxed);
    }
  });
  const kernels::MaxPool3dBackwardBuffers buffers{grad.data(), indices.data(),
                                                  result.data() + kGuard};
  const auto table = kernels::adaptive_max_pool3d_backward();
  for (const bool drop : {false, true}) {
    g.drop = drop;
    for (const auto& kernel : table) {
      if (!kernel.supports(g)) continue;
      for (int run = 0; run < kRuns; ++run)
        run_once(table, kernel, g, buffers, machine(best_instruction_set(), 1 + run % 2));
    }
  }
  end = true;
  changes.join();
  for (std::size_t i = 0; i < kGuard; ++i) {
    ASSERT_EQ(result[i], std::byte{0xa5}) << "before gradInput";
    ASSERT_EQ(result[result.size() - 1 - i], std::byte{0xa5}) << "after gradInput";
  }
}

TEST(ChangingIndices, LeadNowhereElse) {
  const Pool pools[] = {
      {Element::f32, 4, {8, 16, 16}, {4, 8, 8}, INT32_MAX},   // sums stored in gradInput
      {Element::bf16, 4, {8, 16, 16}, {4, 8, 8}, INT32_MAX},  // sums in scratch
      {Element::bf16, 4, {16, 32, 32}, {2, 2, 4}, 16383},     // an empty line gets a term
      {Element::f32, 2, {16, 64, 64}, {2, 4, 4}, 65535},
      {Element::f32, 2, {16, 64, 64}, {2, 4, 4}, INT32_MAX},
      {Element::f32, 2, {16, 40, 40}, {8, 20, 20}, INT32_MAX},   // a ring of sums
      {Element::f16, 2, {16, 40, 40}, {8, 20, 20}, INT32_MAX},   // a ring of rounded results
      {Element::bf16, 2, {16, 40, 40}, {7, 19, 19}, INT32_MIN},  // windows that overlap
  };
  for (const Pool& p : pools) {
    SCOPED_TRACE(testing::Message() << &p - pools << ", element " << static_cast<int>(p.element));
    expect_contained(p);
  }
}

}  // namespace
}  // namespace gradproof::test

#endif
