// The time for small counterexamples: a share of the campaign's, whatever the library does.
#include "props/campaign/shrink_time.h"

#include <gtest/gtest.h>

namespace gradproof::campaign {
namespace {

/// Seconds that searches take which use all that they are given, one after the other.
double of_many_findings(const Settings& settings, int findings) {
  ShrinkTime time(settings);
  double sum = 0;
  for (int i = 0; i < findings; ++i) {
    const double seconds = static_cast<double>(time.next(0, false).count()) / 1000;
    time.spent(seconds);
    sum += seconds;
  }
  return sum;
}

TEST(ShrinkTime, IsAQuarterOfTheCampaigns) {
  Settings settings;
  settings.seconds = 100;
  EXPECT_LE(of_many_findings(settings, 1000), 25);
  EXPECT_GE(of_many_findings(settings, 1000), 24);
  EXPECT_EQ(of_many_findings(settings, 5), 10) << "a few have the usual time";
}

TEST(ShrinkTime, ThatIsUsedUpIsSaid) {
  Settings settings;
  ShrinkTime time(settings);
  EXPECT_EQ(time.next(0, false).count(), 2000);
  EXPECT_EQ(time.next(0, true).count(), 3750) << "a quarter of what is left";
  time.spent(20);  // beyond its limit
  EXPECT_EQ(time.next(1, false).count(), 0);
}

TEST(ShrinkTime, OfACampaignByCasesGrowsWithIt) {
  Settings settings;
  settings.cases = 1'000'000;
  ShrinkTime time(settings);
  time.spent(15);
  EXPECT_EQ(time.next(59, false).count(), 0);
  EXPECT_EQ(time.next(600, false).count(), 2000);
}

TEST(ShrinkTime, IsLeftInTheShortestCampaign) {
  Settings settings;
  settings.seconds = 0;
  EXPECT_EQ(ShrinkTime(settings).next(0, false).count(), 200);
  settings.max_failures = 1;
  EXPECT_EQ(ShrinkTime(settings).next(0, false).count(), 2000) << "there is nothing else to do";
}

}  // namespace
}  // namespace gradproof::campaign
