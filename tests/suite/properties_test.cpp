// Every property of the registry against libgradproof, on cases drawn and shrunk by RapidCheck, for
// every operator that it says something about.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "props/cases/data/data.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/mutate/mutations.h"
#include "props/cases/shapes.h"
#include "props/cases/shrink/rapid.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

bool has_mask_of(ref::Operator op) { return family(op).has_mask(); }
bool has_batches(ref::Operator op) { return accepted_ranks(op).size() > 1; }
bool reads_indices(ref::Operator op) { return ref::is_backward(op) && indices_slot(op) >= 0; }
bool is_linear(ref::Operator op) { return traits(op).linear; }
bool has_forward(ref::Operator op) {
  return ref::is_backward(op) && ref::companion(op).has_value();
}
bool has_channels_last(ref::Operator op) { return family(op).format_places_axes; }
bool has_first_version(ref::Operator op) {
  return ref::is_backward(op) && ref::signature(op).api.ends_with("V2");
}
bool can_be_windows(ref::Operator op) { return traits(op).of_windows.has_value(); }

/// The properties that do not speak about all operators, and about which they do.
const std::map<std::string_view, bool (*)(ref::Operator)> kAbout = {
    {"changing-indices", reads_indices},
    {"gradient-sum", ref::is_backward},
    {"support", ref::is_backward},
    {"adjoint", has_forward},
    {"central-differences", has_forward},
    {"argmax", selects},
    {"linearity", is_linear},
    {"nhwc", has_channels_last},
    {"rank", has_batches},
    {"parameter-lengths", has_windows},
    {"default-stride", has_windows},
    {"ceil-mode", has_windows},
    {"first-version", has_first_version},
    {"depth-1", has_mask_of},
    {"adaptive-division", can_be_windows},
};

/// Of small valid cases, a quarter is misused and a quarter mutated at the boundary of a rule.
Case any_case(Source& source, ref::Operator op) {
  const std::vector<CoveragePoint> among = coverage_points(op);
  Case c = generate_valid(source, among[source.below(among.size())], {.max_elements = 600});
  const std::uint64_t way = source.below(4);
  if (way == 1)
    c.misuse =
        static_cast<Misuse>(1 + source.below(static_cast<std::uint64_t>(Misuse::dead_stream)));
  if (way != 2) return c;
  const std::vector<Mutation> all = mutations(c);
  return all.empty() ? c : all[source.below(all.size())].mutated;
}

/// Whether the property is to be checked on the case: mutated, it may claim any memory.
bool is_for(const Property& property, const Case& c) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 24;
  return property.applies(c) && (!property.runs || runnable(c, kMostBytes));
}

/// A case of the operator for the property; nothing if it applies to none of many.
std::optional<Case> case_for(Source& source, const Property& property, ref::Operator op) {
  constexpr int kDraws = 500;
  for (int i = 0; i < kDraws; ++i) {
    if (Case c = any_case(source, op); is_for(property, c)) return c;
  }
  return std::nullopt;
}

rc::Gen<Case> cases_for(const Property& property, ref::Operator op) {
  return [&property, op](const rc::Random& random, int) {
    rc::Random drawn = random;
    SeededSource source(drawn.next());
    std::optional<Case> c = case_for(source, property, op);
    if (!c) throw rc::GenerationFailure("applies to no drawn case");
    return shrinkable_case(std::move(*c));
  };
}

/// Checks the property on cases of the operator.
rc::detail::TestResult checked(const Property& property, ref::Operator op) {
  SeededSource source(1);
  if (!case_for(source, property, op)) return rc::detail::Error("applies to no drawn case");
  Bench bench{our_session()};
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  // Those that run a call many times are checked on fewer cases, as in a campaign.
  params.maxSuccess = std::max(params.maxSuccess / property.every, 2);
  const std::string name = std::string(property.name) + "/" + std::string(ref::signature(op).stem);
  const auto holds = [&] {
    const Case c = *cases_for(property, op);
    RC_PRE(is_for(property, c));  // what is shrunk may not be
    RC_ASSERT(our_session().select(c.call.product));
    const Verdict verdict = property.check(c, bench);
    if (!verdict.held) RC_FAIL(verdict.finding);
  };
  return rc::detail::checkTestable(holds, rc::detail::TestMetadata{name, name}, params);
}

std::string text_of(const rc::detail::TestResult& result) {
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  return text.str();
}

class EveryProperty : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryProperty, HoldsForEveryOperator) {
  const Property& property = properties()[GetParam()];
  const auto about = kAbout.find(property.name);
  int operators = 0;
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const auto op = static_cast<ref::Operator>(i);
    SCOPED_TRACE(ref::signature(op).stem);
    if (about == kAbout.end() || about->second(op)) {
      const rc::detail::TestResult result = checked(property, op);
      EXPECT_TRUE(result.is<rc::detail::SuccessResult>())
          << property.name << ": " << text_of(result);
      ++operators;
      continue;
    }
    SeededSource source(GetParam());
    for (int draw = 0; draw < 100; ++draw) {
      const Case c = any_case(source, op);
      EXPECT_FALSE(property.applies(c)) << "kAbout leaves out what it applies to: " << to_text(c);
    }
  }
  EXPECT_GT(operators, 0);
}

/// All but the life-cycle, which state_test.cpp has.
std::vector<std::size_t> checked_here() {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < properties().size(); ++i) {
    const Property& property = properties()[i];
    if (property.name != "life-cycle") all.push_back(i);
  }
  return all;
}
std::string name_of(const testing::TestParamInfo<std::size_t>& info) {
  std::string name(properties()[info.param].name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Ours, EveryProperty, testing::ValuesIn(checked_here()), name_of);

TEST(Registry, APropertyThatAppliesToNoCaseFails) {
  const rc::detail::TestResult result =
      checked(*find_property("argmax"), ref::Operator::replication_pad2d);
  EXPECT_FALSE(result.is<rc::detail::SuccessResult>());
  EXPECT_PRED2(contains, text_of(result), "applies to no drawn case");
}

TEST(Registry, HasThePropertiesOfTheTable) {
  for (const auto& [name, about] : kAbout) EXPECT_NE(find_property(name), nullptr) << name;
}

TEST(InstructionSets, ScalarIsOneOfThem) {
  const std::vector<std::string_view> sets = our_session().instruction_sets();
  EXPECT_NE(std::find(sets.begin(), sets.end(), "scalar"), sets.end());
}

TEST(InstructionSets, AskingForThemLeavesTheSelectedOne) {
  Session& session = our_session();
  ASSERT_TRUE(session.select(ref::Product::Ascend910, 2, "scalar"));
  (void)session.instruction_sets();
  EXPECT_EQ(session.kernels().instruction_set(), "scalar");
  EXPECT_EQ(session.threads(), 2);
  EXPECT_EQ(session.product(), ref::Product::Ascend910);
}

TEST(Session, OursStandsForEveryProduct) {
  for (int i = 0; i < ref::kProductCount; ++i)
    EXPECT_TRUE(our_session().select(static_cast<ref::Product>(i)));
}

}  // namespace
}  // namespace gradproof::props
