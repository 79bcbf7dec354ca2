/// Properties of one's own kernels in GoogleTest: random cases, exact values and bounds, shrinking.
///
/// C++17 and later; needs the libraries gradproof::testing, rapidcheck and GoogleTest. A kernel is
/// a function over the structs of the subject kit. docs/testing-library.md explains all of it.
/// Example:
///
///   void kernel(const gradproof::subject::ReplicationPad2dBackward<float>& call);
///   TEST(Pad, Gradient) { GRADPROOF_EXPECT(replication_pad2d_backward, kernel); }
#ifndef GRADPROOF_TESTING_HPP_
#define GRADPROOF_TESTING_HPP_

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gradproof/subject/dispatch.hpp"
#include "gradproof/subject/options.hpp"
#include "gradproof/subject/staging.hpp"
#include "gradproof/testing/case.hpp"
#include "gradproof/testing/compare.hpp"
#include "gradproof/testing/generate.hpp"

/// Checks a kernel on 1000 random cases of its operator as a RapidCheck property: ten times
/// `max_success` of RC_PARAMS, for rare layouts and types come together in few. A wrong result
/// fails the GoogleTest test with the shrunk case and the first wrong elements. `kernel` is what
/// GRADPROOF_KERNEL takes, or a lambda that has a name; the kit's options hold for it.
#define GRADPROOF_EXPECT(operator_stem, kernel)                                     \
  GTEST_AMBIGUOUS_ELSE_BLOCKER_                                                     \
  if (const ::testing::AssertionResult gradproof_result =                           \
          ::gradproof::testing::holds<GRADPROOF_STRUCT_##operator_stem>(            \
              #operator_stem,                                                       \
              [&](const auto& gradproof_call) -> decltype(kernel(gradproof_call)) { \
                return kernel(gradproof_call);                                      \
              }))                                                                   \
    ;                                                                               \
  else                                                                              \
    ADD_FAILURE() << gradproof_result.message()

namespace gradproof::testing {

/// Runs a kernel on a case as the subject kit does, with its options, and judges the result.
/// Nothing if the kernel says that the case is not supported.
template <template <class> class Op, class Kernel>
std::optional<Verdict> run(Kernel kernel, const CaseOf<Op>& c) {
  const Tensors<Op> tensors(c);
  Op<void> call = tensors.call();
  subject::detail::Staging<Op> staging(call);
  if (staging.declined()) return std::nullopt;
  subject::Answer answer =
      subject::detail::caught([&] { return subject::detail::dispatch<Op>(kernel, call); });
  if (answer.status == ACL_ERROR_FEATURE_UNSUPPORTED) return std::nullopt;
  if (answer.status == ACL_SUCCESS) answer = staging.give_back();
  if (answer.status == ACL_SUCCESS) return compare(tensors, c);
  Verdict failed;
  failed.finding =
      (answer.message.empty() ? "the kernel failed" : answer.message) + detail::conformance_note();
  return failed;
}

namespace detail {

template <template <class> class Op, class Kernel, class... T>
std::vector<aclDataType> accepted(subject::detail::Types<T...>) {
  constexpr bool typed[] = {std::is_invocable_v<Kernel, const Op<T>&>...};
  const std::vector<aclDataType> all = {aclnn::element_type<T>...};
  const std::vector<aclDataType>& asked = subject::detail::options.types;
  const bool any = (std::is_invocable_v<Kernel, const Op<T>&> || ...);
  std::vector<aclDataType> types;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (any && !typed[i]) continue;
    if (asked.empty() || std::find(asked.begin(), asked.end(), all[i]) != asked.end())
      types.push_back(all[i]);
  }
  return types;
}

inline ::testing::AssertionResult assertion(const rc::detail::TestResult& result) {
  std::ostringstream text;
  if (result.is<rc::detail::FailureResult>()) {
    const auto& failure = result.get<rc::detail::FailureResult>();
    text << failure.description << "\nfound after " << failure.numSuccess
         << " cases that pass, shrunk in " << failure.reproduce.shrinkPath.size() << " steps";
    return ::testing::AssertionFailure() << text.str();
  }
  rc::detail::printResultMessage(result, text);
  if (!result.is<rc::detail::SuccessResult>()) return ::testing::AssertionFailure() << text.str();
  std::cout << text.str() << '\n';
  return ::testing::AssertionSuccess();
}

/// What RC_PARAMS calls a property: the test that it is in, and the operator.
inline rc::detail::TestMetadata metadata(const std::string& name) {
  const ::testing::TestInfo* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return {name, name};
  return {std::string(test->test_suite_name()) + "/" + test->name() + "/" + name, name};
}

}  // namespace detail

/// Cases that GRADPROOF_EXPECT tries where another property tries one.
inline constexpr int kCasesForOne = 10;

/// The property of GRADPROOF_EXPECT, for tests that want the result: its message has the operator's
/// name, the shrunk case and what is wrong.
template <template <class> class Op, class Kernel>
::testing::AssertionResult holds(const std::string& name, Kernel kernel) {
  const std::vector<aclDataType> types =
      detail::accepted<Op, Kernel>(typename subject::detail::Gradient<Op>::Elements{});
  if (types.empty()) return ::testing::AssertionFailure() << name << ": the kernel takes no type";
  const rc::Gen<CaseOf<Op>> any = cases<Op>(types);
  const auto property = [&] {
    const CaseOf<Op> c = *any;
    classify(c);
    const std::optional<Verdict> verdict = run<Op>(kernel, c);
    RC_PRE(verdict.has_value());
    if (*verdict) return;
    // As RC_FAIL does, without the place in this file.
    throw rc::detail::CaseResult(
        rc::detail::CaseResult::Type::Failure,
        name + " is wrong for the case\n" + c.text() + "\n" + verdict->finding);
  };
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess *= kCasesForOne;
  return detail::assertion(rc::detail::checkTestable(property, detail::metadata(name), params));
}

}  // namespace gradproof::testing

#endif
