// Figures that are made from samples.
#include <gtest/gtest.h>

#include "bench/results.h"

namespace gradproof::bench {
namespace {

TEST(Measure, QuantilesInterpolate) {
  EXPECT_DOUBLE_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4, 5}, 0.25), 2);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.9), 7);
}

TEST(Measure, TheMeanOfRatiosIsGeometric) {
  EXPECT_DOUBLE_EQ(geometric_mean({0.5, 2}), 1);
  EXPECT_DOUBLE_EQ(geometric_mean({4, 4, 4}), 4);
}

Result pair_of(double a, double b, double spread) {
  Result result;
  result.configuration.name = "pair";
  Timing first{"A", {}, "", false}, second{"B", {}, "", false};
  for (int i = -10; i <= 10; ++i) {
    const double slow = 1 + 0.5 * (i % 3 == 0);  // what meets both in a round
    first.seconds.push_back(a * slow);
    second.seconds.push_back(b * slow * (1 + spread * i));
  }
  result.timings = {first, second};
  return result;
}

TEST(Comparison, SaysWhichBuildIsFasterOnlyWhereRoundsAgree) {
  EXPECT_NE(comparison({pair_of(1e-3, 0.9e-3, 0.001)}).find("B is faster"), std::string::npos);
  EXPECT_NE(comparison({pair_of(1e-3, 1.1e-3, 0.001)}).find("B is slower"), std::string::npos);
  EXPECT_EQ(comparison({pair_of(1e-3, 1e-3, 0.01)}).find("B is"), std::string::npos);
}

}  // namespace
}  // namespace gradproof::bench
