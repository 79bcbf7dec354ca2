// The cache of plans: what is kept, for how long, and by several threads at once.
#include "opt/runtime/plan_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "tests/runtime/fake_plan.h"

namespace gradproof {
namespace {

PlanKey key_of(std::uint64_t number) {
  PlanKey key;
  EXPECT_TRUE(key.add(key_part({number})));
  return key;
}

std::shared_ptr<PlannedCall> plan_of(std::uint64_t work) {
  std::shared_ptr<PlannedCall> plan = test::call_of([](const Binding&) { return Status(); });
  plan->work = work;
  return plan;
}

TEST(PlanCache, KeepsAPlanForItsKey) {
  const auto plan = plan_of(1);
  keep_plan(key_of(1), plan);
  EXPECT_EQ(kept_plan(key_of(1)), plan);
  EXPECT_EQ(kept_plan(key_of(2)), nullptr);
  const auto later = plan_of(2);
  keep_plan(key_of(1), later);
  EXPECT_EQ(kept_plan(key_of(1)), later);
  EXPECT_EQ(plan.use_count(), 1);
}

TEST(PlanCache, ForgetsAll) {
  const auto plan = plan_of(1);
  keep_plan(key_of(1), plan);
  forget_plans();
  EXPECT_EQ(kept_plan(key_of(1)), nullptr);
  EXPECT_EQ(plan.use_count(), 1);
}

TEST(PlanCache, KeepsNoPlanWhoseRunTakesLong) {
  keep_plan(key_of(1), plan_of((1 << 20) + 1));
  EXPECT_EQ(kept_plan(key_of(1)), nullptr);
}

TEST(PlanCache, IsBounded) {
  std::vector<std::shared_ptr<PlannedCall>> plans;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    plans.push_back(plan_of(1));
    keep_plan(key_of(i), plans.back());
  }
  EXPECT_LE(std::ranges::count_if(plans, [](const auto& p) { return p.use_count() > 1; }), 64);
  forget_plans();
}

TEST(PlanCache, EqualHashesDoNotMakeEqualKeys) {
  KeyPart a = key_part({1}), b = key_part({2});
  b.hash = a.hash;
  PlanKey one, other;
  ASSERT_TRUE(one.add(a) && other.add(b));
  ASSERT_EQ(one.hash(), other.hash());
  const auto plan = plan_of(1);
  keep_plan(one, plan);
  EXPECT_EQ(kept_plan(one), plan);
  EXPECT_EQ(kept_plan(other), nullptr);
  forget_plans();
}

TEST(PlanCache, TheOrderAndTheNumberOfPartsCount) {
  PlanKey both, swapped, less;
  ASSERT_TRUE(both.add(key_part({1})) && both.add(key_part({2})));
  ASSERT_TRUE(swapped.add(key_part({2})) && swapped.add(key_part({1})));
  ASSERT_TRUE(less.add(key_part({1})));
  EXPECT_FALSE(both == swapped);
  EXPECT_FALSE(both == less);
}

TEST(PlanCache, WhatIsNotCompleteHasNoKey) {
  const std::vector<std::int64_t> numbers(7, 3);
  EXPECT_NE(key_part({}, numbers).hash, 0u);
  EXPECT_EQ(key_part({1}, numbers).hash, 0u);
  PlanKey key;
  EXPECT_FALSE(key.add(key_part({1}, numbers)));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(key.add(key_part({1})));
  EXPECT_FALSE(key.add(key_part({1}))) << "no room";
}

TEST(PlanCache, SeveralThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (std::uint64_t i = 0; i < 2000; ++i) {
        const PlanKey key = key_of(i % 100);
        if (const auto kept = kept_plan(key)) {
          EXPECT_EQ(kept->work, i % 100);
        } else {
          keep_plan(key, plan_of(i % 100));
        }
        if (i % 500 == 0) forget_plans();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  forget_plans();
}

}  // namespace
}  // namespace gradproof
