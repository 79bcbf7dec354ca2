// The properties against libgradproof, on cases drawn and shrunk by RapidCheck.
#include <gtest/gtest.h>

#include <algorithm>

#include "props/cases/rapid.h"
#include "props/properties/instruction_sets.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

class Properties : public testing::TestWithParam<int> {
 protected:
  const ref::Operator op_ = static_cast<ref::Operator>(GetParam());

  /// Checks `property` on valid cases of the operator, small enough to read when they shrink.
  void hold(const char* property_name) {
    const Property& property = *find_property(property_name);
    Bench bench{our_session()};
    EXPECT_TRUE(rc::check(property_name, [&] {
      const Case c = *valid_case(cells(op_), {.max_elements = 600});
      if (!property.applies(c)) return;
      RC_ASSERT(our_session().select(c.call.product));
      const Verdict verdict = property.check(c, bench);
      if (!verdict.held) RC_FAIL(verdict.finding);
    }));
  }
};

TEST_P(Properties, Equivalence) { hold("equivalence"); }
TEST_P(Properties, ErrorCodesOfValidCalls) { hold("error-codes"); }
TEST_P(Properties, Poison) { hold("poison"); }

class Gradients : public Properties {};

TEST_P(Gradients, GradientSum) { hold("gradient-sum"); }

TEST_P(Properties, ErrorCodesOfBoundaryCases) {
  EXPECT_TRUE(rc::check("boundary cases", [&] {
    const Case c = *valid_case(cells(op_), {.max_elements = 200});
    const std::vector<Mutation> all = mutations(c);
    const Mutation& mutation = all[*rc::gen::inRange<std::size_t>(0, all.size())];
    RC_ASSERT(our_session().select(mutation.mutated.call.product));
    const Phase1 got = our_session().get_workspace_size(mutation.mutated.call);
    for (const Verdict& verdict :
         {judge_phase1(mutation.mutated.call, got), judge_message(mutation.mutated.call, got)}) {
      if (!verdict.held)
        RC_FAIL(mutation.rule + " " + mutation.what + ": " + verdict.finding + "\n" +
                to_text(mutation.mutated));
    }
  }));
}

TEST_P(Properties, Misuse) {
  Bench bench{our_session()};
  EXPECT_TRUE(rc::check("misuse", [&] {
    Case c = *valid_case(cells(op_), {.max_elements = 200});
    c.misuse = static_cast<Misuse>(*rc::gen::inRange(1, static_cast<int>(Misuse::dead_stream) + 1));
    RC_ASSERT(our_session().select(c.call.product));
    const Verdict verdict = find_property("misuse")->check(c, bench);
    if (!verdict.held) RC_FAIL(verdict.finding + "\n" + to_text(c));
  }));
}

std::string stem(const testing::TestParamInfo<int>& info) {
  return std::string(ref::signature(static_cast<ref::Operator>(info.param)).stem);
}
INSTANTIATE_TEST_SUITE_P(Ours, Properties, testing::Range(0, ref::kOperatorCount), stem);
std::vector<int> gradients() {
  std::vector<int> all;
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    if (ref::is_backward(static_cast<ref::Operator>(i))) all.push_back(i);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Ours, Gradients, testing::ValuesIn(gradients()), stem);

TEST(Threads, GiveTheSameBits) {
  Bench bench{our_session()};
  SeededSource source(3);
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const std::vector<Cell> all = cells(static_cast<ref::Operator>(i));
    const Case c = generate_valid(source, all[source.below(all.size())], {.max_elements = 1 << 16});
    if (!find_property("threads")->applies(c)) continue;
    ASSERT_TRUE(our_session().select(c.call.product));
    const Verdict verdict = find_property("threads")->check(c, bench);
    EXPECT_TRUE(verdict.held) << verdict.finding << '\n' << to_text(c);
  }
}

TEST(InstructionSets, GiveTheSameBits) {
  Bench bench{our_session()};
  const std::vector<std::string_view> sets = instruction_sets(our_session());
  EXPECT_NE(std::find(sets.begin(), sets.end(), "scalar"), sets.end());
  SeededSource source(4);
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const std::vector<Cell> all = cells(static_cast<ref::Operator>(i));
    const Case c = generate_valid(source, all[source.below(all.size())]);
    if (!find_property("instruction-sets")->applies(c)) continue;
    ASSERT_TRUE(our_session().select(c.call.product));
    const Verdict verdict = find_property("instruction-sets")->check(c, bench);
    EXPECT_TRUE(verdict.held) << verdict.finding << '\n' << to_text(c);
  }
}

TEST(Session, OursStandsForEveryProduct) {
  for (int i = 0; i < ref::kProductCount; ++i)
    EXPECT_TRUE(our_session().select(static_cast<ref::Product>(i)));
}

}  // namespace
}  // namespace gradproof::props
