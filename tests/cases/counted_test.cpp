// Numbers and what they count.
#include "props/cases/counted.h"

#include <gtest/gtest.h>

namespace gradproof::props {
namespace {

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(0, "case"), "0 cases");
  EXPECT_EQ(counted(1, "case"), "1 case");
  EXPECT_EQ(counted(2, "more kind"), "2 more kinds");
  EXPECT_EQ(counted(21, "byte"), "21 bytes");
}

}  // namespace
}  // namespace gradproof::props
