// GRADPROOF_EXPECT: which kernels it takes, and what it says of those that are wrong.
#include "gradproof/config.h"
#include "tests/testing/failures.h"

namespace gradproof::testing {
namespace {

template <class T>
using Pad = subject::ReplicationPad2dBackward<T>;

template <class T>
void right(const Pad<T>& c) {
  subject::Sums sums(c.grad_input);
  for (auto [n, k, i, j] : c.grad_output.positions())
    sums(n, k, std::clamp<std::int64_t>(i - c.top, 0, c.grad_input.shape[2] - 1),
         std::clamp<std::int64_t>(j - c.left, 0, c.grad_input.shape[3] - 1)) +=
        c.grad_output(n, k, i, j);
}

TEST(Expect, TakesAFunctionOfOneType) {
  void (*const floats)(const Pad<float>&) = right<float>;
  GRADPROOF_EXPECT(replication_pad2d_backward, floats);
}

TEST(Expect, TakesALambdaAndOneTypeAtRunTime) {
  const auto generic = [](const Pad<void>& call) {
    if (call.grad_input.type != ACL_DOUBLE) return subject::not_supported("DOUBLE only");
    right(subject::typed<double>(call));
    return subject::Answer{};
  };
  GRADPROOF_EXPECT(replication_pad2d_backward, generic);
}

TEST(Expect, FailsWhereNothingIsSupported) {
  const auto never = [](const Pad<float>&) { return subject::not_supported("not today"); };
  const std::string message =
      failures_of([&] { GRADPROOF_EXPECT(replication_pad2d_backward, never); });
  EXPECT_NE(message.find("Gave up"), std::string::npos) << message;
}

TEST(Expect, ReportsExceptionsAndFailures) {
  const auto throws = [](const Pad<float>&) { throw std::runtime_error("out of luck"); };
  const std::string thrown =
      failures_of([&] { GRADPROOF_EXPECT(replication_pad2d_backward, throws); });
  EXPECT_NE(thrown.find("the kernel threw: out of luck"), std::string::npos) << thrown;
  const auto fails = [](const Pad<float>&) { return subject::failed("no device"); };
  const std::string failed =
      failures_of([&] { GRADPROOF_EXPECT(replication_pad2d_backward, fails); });
  EXPECT_NE(failed.find("no device"), std::string::npos) << failed;
}

TEST(Expect, ShowsTheShrunkCaseAndTheFirstWrongElements) {
  const auto off_by_one = [](const Pad<float>& c) {
    right(c);
    if (c.grad_input.shape[3] > 2) c.grad_input(0, 0, 0, 2) += 1;
  };
  const std::string message =
      failures_of([&] { GRADPROOF_EXPECT(replication_pad2d_backward, off_by_one); });
  for (const char* part :
       {"replication_pad2d_backward is wrong for the case\nreplication_pad2d_backward gradOutput=",
        "gradInput=FLOAT[1,1,3]", "\ngrad_input differs in 1 of 3 values; the first:",
        "grad_input[0,0,0,2]: got ", "shrunk in "})
    EXPECT_NE(message.find(part), std::string::npos) << part << "\n---\n" << message;
}

TEST(Expect, NamesAConformanceThatIsNotTheDocuments) {
  const auto wrong = [](const Pad<float>&) {};
  const auto fails = [](const Pad<float>&) { return subject::failed("no device"); };
  const auto messages = [&] {
    return std::pair(failures_of([&] { GRADPROOF_EXPECT(replication_pad2d_backward, wrong); }),
                     failures_of([&] { GRADPROOF_EXPECT(replication_pad2d_backward, fails); }));
  };
  ASSERT_EQ(gradproof_set_conformance("cann"), ACL_SUCCESS);
  const auto [of_result, of_failure] = messages();
  ASSERT_EQ(gradproof_set_option("conformance", nullptr), ACL_SUCCESS);
  for (const std::string& message : {of_result, of_failure})
    EXPECT_NE(message.find("\nnote: calls of libgradproof follow the conformance cann; "),
              std::string::npos)
        << message;
  EXPECT_EQ(messages().first.find("conformance"), std::string::npos);
}

// Options are the program's, so a test that sets one takes it back. An empty tensor is not copied.
TEST(Expect, FollowsTheKitsOptions) {
  const auto only_contiguous = [](const Pad<float>& c) {
    if (c.grad_output.size() > 0 &&
        c.grad_output.strides != subject::contiguous(c.grad_output.shape))
      throw std::runtime_error("a strided tensor");
    right(c);
  };
  const auto failures = [&] {
    return failures_of([&] { GRADPROOF_EXPECT(replication_pad2d_backward, only_contiguous); });
  };
  EXPECT_NE(failures().find("a strided tensor"), std::string::npos);
  subject::detail::options.contiguous = true;
  EXPECT_EQ(failures(), "");
  subject::detail::options = {};
}

TEST(Expect, SeesWhatIsWrittenIntoACopyOfAnInput) {
  const auto overwrites = [](const Pad<float>& c) {
    right(c);
    if (c.grad_output.size() > 0) const_cast<float*>(c.grad_output.data)[0] = 7;
  };
  subject::detail::options.contiguous = true;
  const std::string message =
      failures_of([&] { GRADPROOF_EXPECT(replication_pad2d_backward, overwrites); });
  subject::detail::options.contiguous = false;
  EXPECT_NE(message.find("the kernel has written into grad_output"), std::string::npos) << message;
}

TEST(Expect, CanBeOneBranchOfAnIf) {
  const auto kernel = [](const Pad<float>& c) { right(c); };
  if (false)
    GRADPROOF_EXPECT(replication_pad2d_backward, kernel) << "never";
  else
    SUCCEED();
}

}  // namespace
}  // namespace gradproof::testing
