// The time for small counterexamples: a share of the campaign's, whatever the library does.
#include "props/cli/shrink_time.h"

#include <gtest/gtest.h>

namespace gradproof::cli {
namespace {

/// Seconds that searches take which use all that they are given, one after the other.
double of_many_findings(const Options& options, int findings) {
  ShrinkTime time(options);
  double sum = 0;
  for (int i = 0; i < findings; ++i) {
    const double seconds = static_cast<double>(time.next(0, false).count()) / 1000;
    time.spent(seconds);
    sum += seconds;
  }
  return sum;
}

TEST(ShrinkTime, IsAQuarterOfTheCampaigns) {
  Options options;
  options.seconds = 100;
  EXPECT_LE(of_many_findings(options, 1000), 25);
  EXPECT_GE(of_many_findings(options, 1000), 24);
  EXPECT_EQ(of_many_findings(options, 5), 10) << "a few have the usual time";
}

TEST(ShrinkTime, ThatIsUsedUpIsSaid) {
  Options options;
  ShrinkTime time(options);
  EXPECT_EQ(time.next(0, false).count(), 2000);
  EXPECT_EQ(time.next(0, true).count(), 3750) << "a quarter of what is left";
  time.spent(20);  // beyond its limit
  EXPECT_EQ(time.next(1, false).count(), 0);
}

TEST(ShrinkTime, OfACampaignByCasesGrowsWithIt) {
  Options options;
  options.cases = 1'000'000;
  ShrinkTime time(options);
  time.spent(15);
  EXPECT_EQ(time.next(59, false).count(), 0);
  EXPECT_EQ(time.next(600, false).count(), 2000);
}

TEST(ShrinkTime, IsLeftInTheShortestCampaign) {
  Options options;
  options.seconds = 0;
  EXPECT_EQ(ShrinkTime(options).next(0, false).count(), 200);
  options.stop_at_first = true;
  EXPECT_EQ(ShrinkTime(options).next(0, false).count(), 2000) << "there is nothing else to do";
}

}  // namespace
}  // namespace gradproof::cli
