// Cases: what is drawn, parsed, shrunk and printed.
#include <numeric>

#include "tests/testing/failures.h"

namespace gradproof::testing {
namespace {

constexpr const char* kPad =
    "replication_pad2d_backward gradOutput=FLOAT[2,6,7]:ND self=FLOAT[2,5,4]:ND padding=1,2,0,1 "
    "gradInput=FLOAT[2,5,4]:ND";

TEST(Case, OneSeedIsOneCase) {
  const Case c = Case::draw(Operator::max_pool2d_with_mask_backward, {}, 7, 50);
  EXPECT_EQ(c, Case::draw(Operator::max_pool2d_with_mask_backward, {}, 7, 50));
  EXPECT_FALSE(c == Case::draw(Operator::max_pool2d_with_mask_backward, {}, 8, 50));
  EXPECT_EQ(Case::parse(c.text()), c);
  EXPECT_EQ(::testing::PrintToString(c), c.text());
}

TEST(Case, SizeBoundsTheElements) {
  for (int op = 0; op < kOperatorCount; ++op) {
    const auto largest = [&](int size) {
      std::int64_t most = 0;
      for (std::uint64_t seed = 0; seed < 200; ++seed)
        most = std::max(most, Case::draw(static_cast<Operator>(op), {}, seed, size).elements());
      return most;
    };
    // Of a mask, the elements are bytes: four make one of those that are bounded.
    const std::int64_t small = largest(0), large = largest(100);
    EXPECT_LE(small, 16 * 32) << op;
    EXPECT_GT(large, 4 * small) << op;
  }
}

TEST(Case, OnlyTheTypesThatWereAskedFor) {
  const Case c = Case::draw(Operator::replication_pad2d_backward, {ACL_DOUBLE}, 1, 10);
  EXPECT_EQ(c.type(), ACL_DOUBLE);
  EXPECT_THROW(Case::draw(Operator::upsample_bilinear2d_backward, {ACL_DOUBLE}, 1, 10),
               std::invalid_argument);
}

TEST(Case, ParseSaysWhatIsWrong) {
  const auto why = [](const std::string& line) -> std::string {
    try {
      Case::parse(line);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(why(kPad), "");
  EXPECT_NE(why("replication_pad2d gradOutput=").find("replication_pad2d"), std::string::npos);
  EXPECT_NE(why(std::string(kPad) + " misuse=null_executor").find("about the API"),
            std::string::npos);
  std::string wrong = kPad;
  wrong.replace(wrong.find("1,2,0,1"), 7, "1,2,0,7");
  EXPECT_NE(why(wrong).find("breaks the rule"), std::string::npos) << why(wrong);
}

TEST(Case, OfAnotherOperatorIsRefused) {
  EXPECT_EQ(CaseOf<subject::ReplicationPad2dBackward>(Case::parse(kPad)).text(),
            Case::parse(kPad).text());
  EXPECT_THROW(CaseOf<subject::UpsampleBilinear2dBackward>(Case::parse(kPad)),
               std::invalid_argument);
}

TEST(Case, BelongsToClasses) {
  const Case c = Case::parse(kPad);
  EXPECT_TRUE(c.is("all-contiguous"));
  EXPECT_TRUE(c.is("padding-asymmetric"));
  EXPECT_FALSE(c.is("strided-output"));
}

TEST(Arbitrary, DrawsEveryOperatorAndKeepsTheRules) {
  std::set<Operator> seen;
  EXPECT_EQ(counterexample([&] {
              const Case c = *rc::gen::arbitrary<Case>();
              seen.insert(c.op());
              RC_ASSERT(Case::parse(c.text()) == c);  // refuses what has no result
              RC_ASSERT(c.elements() > 0 || !c.classes().empty());
            }),
            "");
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kOperatorCount));
}

TEST(Arbitrary, ShrinksToTheSmallestCounterexample) {
  const std::string line = counterexample([] {
    const auto c = *rc::gen::arbitrary<CaseOf<subject::ReplicationPad2dBackward>>();
    const Tensors<subject::ReplicationPad2dBackward> tensors(c);
    RC_ASSERT(tensors.call().grad_input.shape[3] < 3);
  });
  const Tensors<subject::ReplicationPad2dBackward> tensors(
      CaseOf<subject::ReplicationPad2dBackward>(Case::parse(line)));
  EXPECT_EQ(tensors.call().grad_input.shape, (subject::Dims<4>{1, 1, 1, 3})) << line;
}

TEST(Arbitrary, IsClassified) {
  const rc::detail::TestResult result =
      rc::detail::checkTestable([] { classify(*rc::gen::arbitrary<Case>()); });
  ASSERT_TRUE(result.is<rc::detail::SuccessResult>());
  std::set<std::string> tags;
  for (const auto& [names, count] : result.get<rc::detail::SuccessResult>().distribution)
    tags.insert(names.begin(), names.end());
  EXPECT_TRUE(tags.count("\"FLOAT16\"") == 1 && tags.count("\"contiguous\"") == 1)
      << ::testing::PrintToString(tags);
}

}  // namespace
}  // namespace gradproof::testing
