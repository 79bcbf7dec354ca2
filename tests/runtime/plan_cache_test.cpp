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

/// A key of parts that nobody can destroy.
class Key {
 public:
  explicit Key(std::vector<KeyPart> parts) : parts_(std::move(parts)) {
    for (const KeyPart& part : parts_) EXPECT_TRUE(key_.add(part));
  }
  operator const PlanKey&() const { return key_; }

 private:
  std::vector<KeyPart> parts_;
  PlanKey key_;
};

Key key_of(std::uint64_t number) { return Key({key_part({number})}); }

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
  const Key one({a}), other({b});
  const auto plan = plan_of(1);
  keep_plan(one, plan);
  EXPECT_EQ(kept_plan(one), plan);
  EXPECT_EQ(kept_plan(other), nullptr);
  forget_plans();
}

TEST(PlanCache, TheOrderAndTheNumberOfPartsCount) {
  const KeyPart a = key_part({1}), b = key_part({2});
  const Key both({a, b}), swapped({b, a}), less({a});
  KeptKey kept;
  kept.keep(both);
  EXPECT_TRUE(kept.equals(both));
  EXPECT_FALSE(kept.equals(swapped));
  EXPECT_FALSE(kept.equals(less));
}

TEST(PlanCache, ADescriptorIsComparedOnce) {
  static HandleTable<int> table(HandleKind::scalar, Listed::no);
  const KeyPart part = key_part({1}), other = key_part({2});
  const auto seen = [&](void* handle, const KeyPart& its) {
    Sight sight{};
    EXPECT_NE(table.peek(handle, sight), nullptr);
    PlanKey key;
    EXPECT_TRUE(key.add(its, sight));
    return key;
  };
  void* const handle = table.insert(std::make_shared<int>(1));
  const PlanKey key = seen(handle, part);
  KeptKey kept;
  kept.keep(key);
  EXPECT_TRUE(kept.equals(key));
  EXPECT_TRUE(key.lasts());
  EXPECT_NE(table.remove(handle), nullptr);
  EXPECT_FALSE(key.lasts());
  Sight sight{};
  EXPECT_EQ(table.peek(handle, sight), nullptr);
  // Another descriptor in the same slot.
  void* const later = table.insert(std::make_shared<int>(2));
  EXPECT_FALSE(key.lasts());
  EXPECT_FALSE(kept.equals(seen(later, other)));
  EXPECT_TRUE(kept.equals(seen(later, part)));
}

TEST(PlanCache, WhatIsNotCompleteHasNoKey) {
  const std::vector<std::int64_t> numbers(7, 3);
  EXPECT_NE(key_part({}, numbers).hash, 0u);
  EXPECT_EQ(key_part({1}, numbers).hash, 0u);
  const KeyPart part = key_part({1}), incomplete = key_part({1}, numbers);
  PlanKey key;
  EXPECT_FALSE(key.add(incomplete));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(key.add(part));
  EXPECT_FALSE(key.add(part)) << "no room";
}

TEST(PlanCache, SeveralThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (std::uint64_t i = 0; i < 2000; ++i) {
        const Key key = key_of(i % 100);
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
