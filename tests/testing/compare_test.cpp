// The comparison: exact values and bounds, wrong results, memory that was not to be written.
#include "tests/testing/failures.h"

namespace gradproof::testing {
namespace {

template <class T>
using Pad = subject::ReplicationPad2dBackward<T>;

/// Two elements padded by one on each side, in the middle of 4 each.
const CaseOf<Pad>& row() {
  static const CaseOf<Pad> c(Case::parse(
      "replication_pad2d_backward gradOutput=FLOAT[1,1,4]:ND self=FLOAT[1,1,2]:ND padding=1,1,0,0 "
      "gradInput=FLOAT[1,1,2]:ND:strides(4,4,2):offset(1):storage(4)"));
  return c;
}

void right(const Pad<float>& c) {
  subject::Sums sums(c.grad_input);
  for (auto [n, k, i, j] : c.grad_output.positions())
    sums(n, k, std::clamp<std::int64_t>(i - c.top, 0, c.grad_input.shape[2] - 1),
         std::clamp<std::int64_t>(j - c.left, 0, c.grad_input.shape[3] - 1)) +=
        c.grad_output(n, k, i, j);
}

TEST(Expected, HasExactValuesTermsAndBounds) {
  const Tensors<Pad> tensors(row());
  const auto g = tensors.as<float>().grad_output;
  const std::vector<Expected> all = expected(row());
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].exact, static_cast<long double>(g(0, 0, 0, 0)) + g(0, 0, 0, 1));
  EXPECT_EQ(all[1].terms, 2);
  EXPECT_LE(all[1].low, all[1].exact);
  EXPECT_GE(all[1].high, all[1].exact);
}

TEST(Compare, AcceptsARightResult) {
  const Tensors<Pad> tensors(row());
  right(tensors.as<float>());
  const Verdict verdict = gradproof::compare(tensors, row());
  EXPECT_TRUE(verdict) << verdict;
  EXPECT_EQ(verdict.values, 2);
  EXPECT_EQ(verdict.wrong, 0);
}

TEST(Compare, NamesWhatIsWrong) {
  const Tensors<Pad> tensors(row());
  const Pad<float> call = tensors.as<float>();
  right(call);
  call.grad_input(0, 0, 0, 1) += 1;
  const Verdict verdict = compare(tensors, row());
  EXPECT_FALSE(verdict);
  ASSERT_EQ(verdict.first.size(), 1U);
  EXPECT_EQ(verdict.first[0].at, (std::vector<std::int64_t>{0, 0, 0, 1}));
  EXPECT_EQ(verdict.first[0].got, verdict.first[0].expected.exact + 1);
  EXPECT_NE(verdict.finding.find("grad_input[0,0,0,1]: got "), std::string::npos) << verdict;
}

TEST(Compare, SeesElementsThatWereNotWritten) {
  const Tensors<Pad> tensors(row());
  EXPECT_EQ(compare(tensors, row()).wrong, 2);
}

TEST(Compare, SeesMemoryThatIsNotTheResults) {
  const auto finding = [](const auto& trespass) {
    const Tensors<Pad> tensors(row());
    const Pad<float> call = tensors.as<float>();
    right(call);
    trespass(call);
    return compare(tensors, row()).finding;
  };
  EXPECT_EQ(finding([](const Pad<float>&) {}), "");
  EXPECT_NE(finding([](const Pad<float>& c) { c.grad_input.data[1] = 0; }).find("does not reach"),
            std::string::npos);
  EXPECT_NE(
      finding([](const Pad<float>& c) { c.grad_input.data[-2] = 0; }).find("before its start"),
      std::string::npos);
  EXPECT_NE(finding([](const Pad<float>& c) { c.grad_input.data[3] = 0; }).find("past its end"),
            std::string::npos);
  EXPECT_NE(finding([](const Pad<float>& c) {
              const_cast<float*>(c.grad_output.data)[0] += 1;
            }).find("an argument that is never written"),
            std::string::npos);
}

TEST(Compare, TakesMemoryOfTheCallers) {
  Pad<float> call = Tensors<Pad>(row()).as<float>();
  const Tensors<Pad> tensors(row());
  call.grad_output = tensors.as<float>().grad_output;
  const subject::Array<float, 4> own(call.grad_input.shape);
  call.grad_input = own.view();
  right(call);
  EXPECT_TRUE(compare(call.grad_input, row()));
  own(0, 0, 0, 0) += 1;
  EXPECT_EQ(compare(call.grad_input, row()).wrong, 1);
}

TEST(Compare, RefusesWhatIsNotTheCases) {
  const subject::Array<float, 4> larger({1, 1, 1, 3});
  EXPECT_THROW(compare(larger.view(), row()), std::invalid_argument);
  const subject::Array<double, 4> wider({1, 1, 1, 2});
  EXPECT_THROW(compare(wider.view(), row()), std::invalid_argument);
  const Tensors<Pad> tensors(row());
  EXPECT_THROW(tensors.as<double>(), std::invalid_argument);
  EXPECT_THROW(compare(tensors, CaseOf<Pad>(row().simpler().front())), std::invalid_argument);
}

}  // namespace
}  // namespace gradproof::testing
