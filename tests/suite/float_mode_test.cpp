// The suite's own floating-point mode, whatever a library makes of it.
#include "props/subject/float_mode.h"

#include <gtest/gtest.h>

#include "props/subject/step.h"

namespace gradproof::props {
namespace {

TEST(FloatMode, IsSetBackAfterEachStepOfACall) {
  {
    const Within step(Step::phase2);
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    EXPECT_FALSE(float_mode_is_usual());
  }
  EXPECT_TRUE(float_mode_is_usual());
}

TEST(FloatMode, IsSetBackToWhatItWas) {
  ASSERT_EQ(std::fesetround(FE_DOWNWARD), 0);
  { const Within step(Step::synchronise); }
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
}

}  // namespace
}  // namespace gradproof::props
