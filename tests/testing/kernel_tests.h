// Tests of kernels as examples/kernels has them: that they pass, or that their bug is found, in
// each way that gradproof::testing has of testing.
#pragma once

// The kernels are written as their authors would, with conversions and names in passing.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wshadow"

#include "gradproof/subject.hpp"
#include "tests/testing/failures.h"

namespace gradproof::testing {

/// Cases of FLOAT16, in which narrow sums show, by hand: typed views, and the comparison.
template <template <class> class Op, class Kernel>
auto by_views(Kernel kernel) {
  return [kernel] {
    const CaseOf<Op> c = *cases<Op>({ACL_FLOAT16});
    const Tensors<Op> tensors(c);
    kernel(tensors.template as<subject::Half>());
    RC_ASSERT(static_cast<bool>(compare(tensors, c)));
  };
}

/// Contiguous memory of that shape.
template <class T, int rank>
subject::Array<T, rank> memory_like(const subject::View<T, rank>& view) {
  return subject::Array<T, rank>(view.shape);
}

/// Likewise with the result in memory of the test's own.
template <template <class> class Op, class Kernel>
auto into_own_memory(Kernel kernel) {
  return [kernel] {
    const CaseOf<Op> c = *cases<Op>({ACL_FLOAT16});
    const Tensors<Op> tensors(c);
    Op<subject::Half> call = tensors.template as<subject::Half>();
    auto& view = std::get<std::tuple_size_v<decltype(call.views())> - 1>(call.views());
    const auto own = memory_like(view);
    view = own.view();
    kernel(call);
    RC_ASSERT(static_cast<bool>(compare(view, c)));
  };
}

/// The case line is of a small case, for which the kernel is wrong again.
template <template <class> class Op, class Kernel>
void expect_counterexample(const std::string& line, Kernel kernel) {
  ASSERT_NE(line, "") << "the bug was not found";
  const CaseOf<Op> c(Case::parse(line));
  EXPECT_LE(c.elements(), 64) << line;
  const std::optional<Verdict> verdict = run<Op>(kernel, c);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_FALSE(*verdict) << line;
}

}  // namespace gradproof::testing

#define GENERIC(kernel) [](const auto& call) -> decltype(kernel(call)) { return kernel(call); }

#define PASSES_TESTS(stem, name, kernel)                                                       \
  TEST(stem, name) { GRADPROOF_EXPECT(stem, kernel); }                                         \
  TEST(stem, name##_by_views) {                                                                \
    namespace t = gradproof::testing;                                                          \
    EXPECT_EQ(t::counterexample(t::by_views<GRADPROOF_STRUCT_##stem>(GENERIC(kernel))), "");   \
    EXPECT_EQ(t::counterexample(t::into_own_memory<GRADPROOF_STRUCT_##stem>(GENERIC(kernel))), \
              "");                                                                             \
  }

#define FOUND_BY_TESTS(stem, name, kernel)                                                 \
  TEST(stem, name) {                                                                       \
    namespace t = gradproof::testing;                                                      \
    const std::string message = t::failures_of([] { GRADPROOF_EXPECT(stem, kernel); });    \
    EXPECT_NE(message.find(#stem " is wrong for the case"), std::string::npos) << message; \
    t::expect_counterexample<GRADPROOF_STRUCT_##stem>(t::case_line(message, #stem),        \
                                                      GENERIC(kernel));                    \
  }                                                                                        \
  TEST(stem, name##_by_views) {                                                            \
    namespace t = gradproof::testing;                                                      \
    t::expect_counterexample<GRADPROOF_STRUCT_##stem>(                                     \
        t::counterexample(t::by_views<GRADPROOF_STRUCT_##stem>(GENERIC(kernel))),          \
        GENERIC(kernel));                                                                  \
  }                                                                                        \
  TEST(stem, name##_into_own_memory) {                                                     \
    namespace t = gradproof::testing;                                                      \
    t::expect_counterexample<GRADPROOF_STRUCT_##stem>(                                     \
        t::counterexample(t::into_own_memory<GRADPROOF_STRUCT_##stem>(GENERIC(kernel))),   \
        GENERIC(kernel));                                                                  \
  }
