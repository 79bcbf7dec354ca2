// Runs of one executor that differ: what the finding says, and which entries allow for it.
#include "props/judge/repeats.h"

#include <cmath>

#include "props/profiles/use.h"
#include "ref/element.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

ref::Dense two_numbers(double first, double second) {
  ref::Dense dense{ACL_FLOAT, {1, 1, 1, 2}, std::vector<std::byte>(8)};
  ref::store(dense.bytes.data(), ACL_FLOAT, 0, first);
  ref::store(dense.bytes.data(), ACL_FLOAT, 1, second);
  return dense;
}

class Repeats : public ::testing::Test {
 protected:
  Verdict judge(double first, double second) {
    Outcome run;
    run.outputs = {{}, {}, two_numbers(1, first)};
    run.other_runs = {{{}, {}, two_numbers(1, second)}};
    return judge_repeats(c_, run, terms_, &use_);
  }

  const Case c_ = parse_case(
      "replication_pad2d_backward gradOutput=FLOAT[1,1,1,2]:ND self=FLOAT[1,1,1,2]:ND "
      "padding=0,0,0,0 gradInput=FLOAT[1,1,1,2]:ND");
  profiles::Use use_{profiles::find_profile("gradproof")};
  profiles::Terms terms_;
};

TEST_F(Repeats, FindingsNameTheElementAndBothValues) {
  const Verdict verdict = judge(2, 3);
  EXPECT_FALSE(verdict.held);
  EXPECT_EQ(verdict.finding,
            "gradInput[0,0,0,1] differs between two runs of one repeatable executor: 2 and 3");
  EXPECT_TRUE(judge(2, 2).held);
}

TEST_F(Repeats, BitsOfNanMayDifferByTheirEntryAlone) {
  EXPECT_FALSE(judge(std::nan(""), -std::nan("")).held);
  profiles::Entry nans;
  nans.kind = profiles::Kind::nan_bits;
  terms_.nan_bits = &nans;
  EXPECT_TRUE(judge(std::nan(""), -std::nan("")).held);
  EXPECT_FALSE(judge(std::nan(""), 3).held);
}

TEST_F(Repeats, BitsThatDependOnRunsMayDiffer) {
  profiles::Entry runs;
  runs.kind = profiles::Kind::bits;
  runs.depends_on = {profiles::Dependence::layout};
  terms_.bits = {&runs};
  EXPECT_FALSE(judge(2, 3).held);
  runs.depends_on = {profiles::Dependence::runs};
  EXPECT_TRUE(judge(2, 3).held);
}

}  // namespace
}  // namespace gradproof::props
