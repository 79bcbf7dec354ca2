// What a finding's lines say that its failing cases share.
#include "props/report/findings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "props/report/report.h"

namespace gradproof::report {
namespace {

TEST(Findings, NameNoFeatureThatFewFailuresShareByChance) {
  OperatorReport o;
  o.cases = 99;
  o.classes["half"] = 49;
  o.classes["most"] = 89;
  EXPECT_EQ(telling(o, {"half", "most"}, 3), std::vector<std::string>());        // 1 of 8 by chance
  EXPECT_EQ(telling(o, {"half", "most"}, 5), std::vector<std::string>{"half"});  // 1 of 32
  EXPECT_EQ(telling(o, {"most"}, 1000), std::vector<std::string>());
}

}  // namespace
}  // namespace gradproof::report
