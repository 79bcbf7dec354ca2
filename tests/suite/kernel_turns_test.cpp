// Kernels take turns: the cases that are found are computed by the kernel whose turn it is.
#include "props/campaign/kernel_turns.h"

#include <gtest/gtest.h>

#include <set>

#include "acl/acl_base.h"
#include "props/campaign/campaign.h"
#include "props/cases/describe/size.h"

namespace gradproof::campaign {
namespace {

const std::vector<ref::Product> kProducts = {ref::Product::Ascend910B};
constexpr ref::Operator kPool = ref::Operator::max_pool2d_with_mask_backward;

/// Our library, in this process.
Checker ours() {
  Settings settings;
  settings.subject.libraries = {GRADPROOF_LIBRARY};
  settings.fork = false;
  return Checker(settings);
}

TEST(KernelTurns, EveryKernelThatACallCanChooseHasCases) {
  Checker checker = ours();
  const props::Choices choices = checker.choices();
  const std::vector<std::string>& kernels = choices.kernels[static_cast<std::size_t>(kPool)];
  ASSERT_GT(kernels.size(), 3u);
  const Schedule schedule(kPool, kProducts, 1);
  KernelTurns turns(schedule, choices);
  std::set<std::string> met;
  std::set<std::pair<std::string, std::int32_t>> of_types;
  bool other_set = false;
  for (std::uint64_t j = schedule.sweep(); j < schedule.sweep() + 2400; ++j) {
    const std::optional<KernelTurns::Turn> turn = turns.at(j, schedule.step(j), checker);
    if (!turn) continue;
    EXPECT_EQ(turn->valid.misuse, props::Misuse::none);
    other_set = other_set || turn->of_other_set;
    EXPECT_EQ(turn->point.dtype, turn->valid.call.tensors.front().dtype);
    if (turn->of_other_set) continue;
    const std::string kernel = checker.kernels_for({&turn->valid, 1}, "").front();
    met.insert(kernel);
    of_types.emplace(kernel, turn->point.dtype);
  }
  EXPECT_EQ(met, std::set<std::string>(kernels.begin(), kernels.end()));
  EXPECT_GT(of_types.size(), met.size());
  EXPECT_EQ(other_set, !choices.instruction_sets.empty());
}

TEST(KernelTurns, WhatRanTooRarelyComesFirst) {
  Checker checker = ours();
  const props::Choices choices = checker.choices();
  const std::vector<std::string>& kernels = choices.kernels[static_cast<std::size_t>(kPool)];
  const Schedule schedule(kPool, kProducts, 1);
  // All have run often, but for one way.
  const std::string wanted = kernels.back();
  std::vector<std::string> sets = choices.instruction_sets;
  sets.push_back("its own");
  props::KernelUses runs;
  for (const std::string& kernel : kernels) {
    for (const props::CoveragePoint& point : schedule.coverage_points()) {
      for (const std::string& set : sets) {
        if (kernel != wanted || point.dtype != ACL_FLOAT16 || set != "its own")
          runs[{kPool, kernel, point.dtype, set}] = props::kLeastRuns;
      }
    }
  }
  KernelTurns turns(schedule, choices);
  int found = 0;
  for (std::uint64_t j = schedule.sweep(); j < schedule.sweep() + 132; ++j) {
    const std::optional<KernelTurns::Turn> turn = turns.at(j, schedule.step(j), checker, &runs);
    if (!turn) continue;
    ++found;
    EXPECT_FALSE(turn->of_other_set);
    EXPECT_EQ(turn->point.dtype, ACL_FLOAT16);
    EXPECT_EQ(checker.kernels_for({&turn->valid, 1}, "").front(), wanted);
  }
  EXPECT_GT(found, 2);
}

TEST(KernelTurns, NothingTakesTurnsWhereTheLibraryDoesNotTell) {
  Checker checker = ours();
  const Schedule schedule(kPool, kProducts, 1);
  KernelTurns turns(schedule, props::Choices());
  for (std::uint64_t j = schedule.sweep(); j < schedule.sweep() + 50; ++j)
    EXPECT_FALSE(turns.at(j, schedule.step(j), checker));
}

TEST(KernelTurns, RunsAreCountedByKernelTypeAndInstructionSet) {
  Checker checker = ours();
  const Schedule schedule(kPool, kProducts, 1);
  const props::Case c = schedule.step(0).valid;
  const props::Property* property = props::find_property("equivalence");
  const props::Check check{property, &c};
  ASSERT_TRUE(checker.check({&check, 1}).front().verdict.held);
  const props::KernelUses uses = checker.take_kernel_uses();
  ASSERT_EQ(uses.size(), 1u);
  const props::KernelUse& use = uses.begin()->first;
  EXPECT_EQ(use.op, kPool);
  EXPECT_EQ(use.kernel, checker.kernels_for({&c, 1}, "").front());
  EXPECT_EQ(use.dtype, c.call.tensors.front().dtype);
  EXPECT_NE(use.instruction_set, "");
  EXPECT_TRUE(checker.take_kernel_uses().empty());
}

TEST(KernelTurns, RunsThatComparedKernelsAreCountedApart) {
  Checker checker = ours();
  const Schedule schedule(kPool, kProducts, 1);
  const props::Property* property = props::find_property("kernels");
  std::uint64_t n = 0;
  while (!property->applies(schedule.small(n))) ++n;
  const props::Case c = schedule.small(n);
  const props::Check check{property, &c};
  ASSERT_TRUE(checker.check({&check, 1}).front().verdict.held);
  const props::KernelUses uses = checker.take_kernel_uses();
  EXPECT_FALSE(uses.empty());
  for (const auto& [use, runs] : uses) EXPECT_TRUE(use.compared) << use.kernel;
}

TEST(KernelTurns, ComparisonsAreNoChoices) {
  Checker checker = ours();
  const props::Choices choices = checker.choices();
  const Schedule schedule(kPool, kProducts, 1);
  KernelTurns turns(schedule, choices), others(schedule, choices);
  // All were compared often, and none was chosen: as if nothing had run.
  props::KernelUses compared;
  for (const std::string& kernel : choices.kernels[static_cast<std::size_t>(kPool)]) {
    for (const props::CoveragePoint& point : schedule.coverage_points()) {
      for (const std::string& set : choices.instruction_sets)
        compared[{kPool, kernel, point.dtype, set, true}] = props::kLeastRuns;
    }
  }
  const props::KernelUses none;
  int found = 0;
  for (std::uint64_t j = schedule.sweep(); j < schedule.sweep() + 60; ++j) {
    const std::optional<KernelTurns::Turn> turn = turns.at(j, schedule.step(j), checker, &compared);
    const std::optional<KernelTurns::Turn> same = others.at(j, schedule.step(j), checker, &none);
    ASSERT_EQ(turn.has_value(), same.has_value());
    if (!turn) continue;
    ++found;
    EXPECT_EQ(turn->point.dtype, same->point.dtype);
    EXPECT_EQ(turn->of_other_set, same->of_other_set);
  }
  EXPECT_GT(found, 1);
}

TEST(SmallCalls, AreValidAndSmall) {
  const Schedule schedule(kPool, {{ref::Product::Ascend910, ref::Product::Ascend910B}}, 1);
  for (std::uint64_t n = 0; n < 400; ++n) {
    const props::Case c = schedule.small(n);
    const std::uint64_t turn = n / Schedule::kSmallOnAProduct;
    EXPECT_EQ(ref::expect(c.call).rule, nullptr);
    EXPECT_EQ(c.misuse, props::Misuse::none);
    EXPECT_EQ(c.call.product, schedule.product(turn * Schedule::kStepsOnAProduct));
    EXPECT_LE(props::largest_but_masks(c), 8192);
  }
}

/// Checks and cases of a campaign of 16 cases with the property `kernels`.
std::pair<std::uint64_t, std::uint64_t> of_kernels(ref::Operator op) {
  Settings settings;
  settings.subject.libraries = {GRADPROOF_LIBRARY};
  settings.fork = false;
  settings.operators = {op};
  settings.properties = {props::find_property("kernels")};
  settings.cases = 16;
  settings.silent = true;
  Campaign campaign(settings);
  campaign.run();
  EXPECT_EQ(campaign.report().failed(), 0u);
  return {campaign.report().checks(), campaign.report().cases()};
}

TEST(SmallCalls, ComeBesideCasesWhereThereAreSeveralKernels) {
  const auto [checks, cases] = of_kernels(kPool);
  EXPECT_LE(cases, 16u);
  EXPECT_GT(checks, cases);
  // The forward has one kernel.
  const auto [checks_of_one, cases_of_one] = of_kernels(ref::Operator::max_pool2d_with_mask);
  EXPECT_EQ(checks_of_one, cases_of_one);
}

}  // namespace
}  // namespace gradproof::campaign
