// Fair turns, and schedules that shards agree about.
#include "props/campaign/turns.h"
#include "props/cases/describe/coverage_points.h"

#include <gtest/gtest.h>

#include <set>

#include "props/campaign/boundary.h"
#include "props/campaign/work.h"

namespace gradproof::campaign {
namespace {

TEST(Turns, SharesDifferByATurnAtMost) {
  Turns turns({1, 1, 2});
  double used[3] = {};
  for (int i = 0; i < 1000; ++i) {
    const std::size_t who = turns.next();
    const double amount = 0.1 * (1 + i % 7);
    turns.use(who, amount);
    used[who] += amount;
  }
  EXPECT_NEAR(used[0], used[1], 0.7);
  EXPECT_NEAR(used[2], 2 * used[0], 1.4);
}

TEST(Turns, WhoLeavesHasNone) {
  Turns turns({1, 1});
  turns.leave(0);
  turns.use(1, 100);
  EXPECT_EQ(turns.next(), 1u);
  EXPECT_FALSE(turns.all_left());
  turns.leave(1);
  EXPECT_TRUE(turns.all_left());
}

const std::vector<ref::Product> kProducts = {ref::Product::Ascend910, ref::Product::Ascend910B};

TEST(Schedule, ItsSweepHasEveryCellOnce) {
  const Schedule schedule(ref::Operator::replication_pad2d, kProducts, 3);
  std::multiset<std::string> met;
  for (std::uint64_t j = 0; j < schedule.sweep(); ++j) {
    const props::CoveragePoint point = schedule.step(j).point;
    EXPECT_EQ(point.product, schedule.product(j));
    met.insert(report::point_name(point));
  }
  for (const props::CoveragePoint& point : schedule.coverage_points())
    EXPECT_GE(met.count(report::point_name(point)), 1u) << report::point_name(point);
}

TEST(Schedule, AStepDependsOnItsNumberAlone) {
  const Schedule a(ref::Operator::max_pool2d_with_mask, kProducts, 3),
      b(ref::Operator::max_pool2d_with_mask, kProducts, 3);
  b.step(7);
  EXPECT_EQ(a.step(100).valid, b.step(100).valid);
  EXPECT_NE(a.step(100).valid, b.step(101).valid);
}

TEST(Boundary, TheFirstBasesAndWhatTheyLeftOutMeetEveryBorder) {
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const auto op = static_cast<ref::Operator>(i);
    std::vector<ref::Product> products;
    for (int p = 0; p < ref::kProductCount; ++p) products.push_back(static_cast<ref::Product>(p));
    const Schedule schedule(op, products, 1);
    BoundaryQueue queue(schedule, products, {});
    std::set<props::BoundarySide> missing;
    for (const ref::Product product : products) {
      for (props::BoundarySide& side : props::boundary_sides(op, product))
        missing.insert(std::move(side));
    }
    for (std::uint64_t j = 0; j < schedule.sweep(); ++j) {
      for (const props::BoundarySide& side : props::sides_of_valid(schedule.step(j).valid.call))
        missing.erase(side);
    }
    for (std::uint64_t b = 0; b <= schedule.first_bases(); ++b) {
      queue.load(b);
      while (!queue.empty()) {
        for (const BoundaryCase& one : queue.take()) {
          if (!one.second) missing.erase(props::side_of(one.first));
        }
      }
    }
    EXPECT_TRUE(missing.empty()) << ref::signature(op).stem << ": "
                                 << props::to_text(*missing.begin());
  }
}

TEST(PropertyTime, ACostlyPropertyWaitsForTheOthers) {
  PropertyTime time;
  const props::Property cheap{"cheap", "", nullptr, nullptr, true, 1},
      costly{"costly", "", nullptr, nullptr, true, 64};
  EXPECT_TRUE(time.due(cheap));
  EXPECT_FALSE(time.due(costly)) << "cheap ones see the first cases";
  for (int i = 0; i < 1500; ++i) time.use(cheap, 1e-3);
  EXPECT_TRUE(time.due(costly));
  time.use(costly, 2);
  EXPECT_FALSE(time.due(costly));
  for (int i = 0; i < 700; ++i) time.use(cheap, 1e-3);
  EXPECT_TRUE(time.due(costly));
}

TEST(PropertyTime, QuestionsOfTheLibraryComeSoon) {
  PropertyTime time;
  const props::Property cheap{"cheap", "", nullptr, nullptr, true, 1};
  const props::Property services{"services", "", nullptr, nullptr, true, 64,
                                 3,          "", false,   false,   true},
      process{"process", "", nullptr, nullptr, true, 64, 1, "", false, false, true};
  EXPECT_FALSE(time.due(services));
  time.use(cheap, 0.5);
  EXPECT_TRUE(time.due(services));
  EXPECT_FALSE(time.due(process)) << "it takes seconds";
  time.use(cheap, 0.6);
  EXPECT_TRUE(time.due(process));
}

}  // namespace
}  // namespace gradproof::campaign
