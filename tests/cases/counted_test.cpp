// Numbers and what they count; lists of names.
#include "props/cases/counted.h"

#include <gtest/gtest.h>

#include "props/cases/listed.h"

namespace gradproof::props {
namespace {

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(0, "case"), "0 cases");
  EXPECT_EQ(counted(1, "case"), "1 case");
  EXPECT_EQ(counted(2, "more kind"), "2 more kinds");
  EXPECT_EQ(counted(21, "byte"), "21 bytes");
}

TEST(Listed, IsSorted) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"ND", "BF16", "NCHW"}), "BF16, NCHW, ND");
  EXPECT_EQ(listed({"b", "a"}, "\n  "), "a\n  b");
}

}  // namespace
}  // namespace gradproof::props
