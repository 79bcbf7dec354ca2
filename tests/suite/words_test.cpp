// Values in messages.
#include <gtest/gtest.h>

#include "props/judge/words.h"

namespace gradproof::props {
namespace {

TEST(Words, AreWhole) {
  EXPECT_TRUE(says_value("extent 3, must be 4", "3"));
  EXPECT_TRUE(says_value("[3]", "3"));
  EXPECT_TRUE(says_value("is 3.", "3"));
  for (const char* text : {"13", "31", "-3", "3.5", "0.3", "x3", "3x", "a_3", ""})
    EXPECT_FALSE(says_value(text, "3")) << text;
  EXPECT_FALSE(says_value("FLOAT16", "FLOAT"));
  EXPECT_TRUE(says_value("FLOAT", "FLOAT"));
}

TEST(Words, OneListIsEnough) {
  EXPECT_TRUE(says_any("anything", {}));
  EXPECT_TRUE(says_any("is 1 but 2", {{"3", "4"}, {"1", "2"}}));
  EXPECT_FALSE(says_any("is 1 but 4", {{"3", "4"}, {"1", "2"}}));
  EXPECT_EQ(in_words({{"7", "8"}, {"1"}}), "7 and 8, or 1");
}

TEST(Words, EqualValuesNeedTwoPlaces) {
  EXPECT_FALSE(says_any("position 5", {{"5", "5"}}));
  EXPECT_TRUE(says_any("position 5 is 5", {{"5", "5"}}));
}

TEST(Words, AMessageThatLacksAWordIsTold) {
  for (const char* text : {"executor is an , not an aclOpExecutor", "is  null", "(null) is null"})
    EXPECT_TRUE(lacks_a_word(text)) << text;
  EXPECT_FALSE(lacks_a_word("executor (0x1) is an aclTensor, not an aclOpExecutor"));
}

}  // namespace
}  // namespace gradproof::props
