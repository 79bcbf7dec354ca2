// A failing case with which attempts take long: they must not take more than its time.
#include <gtest/gtest.h>

#include "props/campaign/hints.h"
#include "props/campaign/new_process.h"
#include "props/campaign/shrink.h"
#include "props/campaign/trial_of_features.h"
#include "props/cases/describe/size.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::campaign {
namespace {

constexpr Deadline kOver = Deadline::min();

/// On the library that is a copy of the reference.
class LargeCase : public testing::Test {
 protected:
  LargeCase() {
    settings_.subject.libraries = {FAKE_REFERENCE};
    settings_.fork = false;  // a worker would be this program, which runs all tests again
  }
  void SetUp() override { checker_.emplace(settings_); }
  Failure failure(const char* text, const char* name = "equivalence") {
    const props::Property* property = props::find_property(name);
    const props::Case test = props::parse_case(text);
    return {property, test, checker_->attempt(*property, test), nullptr};
  }

  Settings settings_;
  std::optional<Checker> checker_;
};

const char* const kLarge =
    "upsample_bilinear2d self=FLOAT[1,2,150,150]:NCHW outputSize=300,300 alignCorners=false "
    "scalesH=0 scalesW=0 out=FLOAT[1,2,300,300]:NCHW seed=1";
const char* const kSmall =
    "upsample_bilinear2d self=FLOAT[1,1,1,59]:NCHW outputSize=1,58 alignCorners=false scalesH=0 "
    "scalesW=0 out=FLOAT[1,1,1,58]:NCHW seed=550179";

TEST_F(LargeCase, IsReplacedBySmallOnesBeforeStepsAreTried) {
  const props::Fault wrong("coarse");
  const Failure found = failure(kLarge);
  ASSERT_FALSE(found.verdict.held);
  std::int64_t first = 0;  // elements of the first other case that fails
  const auto note = [&](const Failure& other) {
    if (first == 0) first = props::largest_tensor(other.test);
    return false;
  };
  const Failure small =
      shrink(*checker_, found, std::chrono::milliseconds(20000), std::nullopt, note);
  EXPECT_FALSE(small.verdict.held);
  EXPECT_LE(props::largest_tensor(small.test), props::kReadable);
  EXPECT_LE(first, props::kReadable);
}

TEST_F(LargeCase, IsTriedWithProfileEntriesWhileTimeIsLeft) {
  const props::Fault wrong("computes in FLOAT");
  const Failure found = failure(kSmall);
  ASSERT_FALSE(found.verdict.held);
  EXPECT_FALSE(explaining_entries(*checker_, found, Deadline::max()).empty());
  EXPECT_TRUE(explaining_entries(*checker_, found, kOver).empty());
}

TEST_F(LargeCase, IsTriedWithoutFeaturesWhileTimeIsLeft) {
  const props::Fault wrong("coarse");
  const Failure found = failure(kSmall);
  EXPECT_FALSE(unneeded(*checker_, found, Deadline::max()).empty());
  EXPECT_TRUE(unneeded(*checker_, found, kOver).empty());
}

TEST_F(LargeCase, IsRunAgainForChanceWhileTimeIsLeft) {
  settings_.subject.libraries = {FAKE_BOTH};
  checker_.emplace(settings_);
  const props::Fault wrong("every other call");
  const std::string text = props::to_text(props::pad_case());
  const auto again = [&](Deadline deadline) {
    Failure found = failure(text.c_str());
    if (found.verdict.held) found = failure(text.c_str());
    (void)failure(text.c_str());  // passes: the next one fails
    return alone(*checker_, found, deadline);
  };
  const Failure chance = again(Deadline::max());
  EXPECT_FALSE(chance.passes_alone);
  EXPECT_TRUE(props::contains(chance.chance, " of 10 runs")) << chance.chance;
  const Failure unknown = again(kOver);
  EXPECT_FALSE(unknown.passes_alone);
  EXPECT_EQ(unknown.chance, "");
}

TEST_F(LargeCase, IsNotRepeatedToFindALeak) {
  // A call takes some 40 ms.
  const Failure found = failure(
      "upsample_bilinear2d self=FLOAT[1,1,150,150]:NCHW outputSize=300,300 alignCorners=false "
      "scalesH=0 scalesW=0 out=FLOAT[1,1,300,300]:NCHW seed=1",
      "no-leak");
  EXPECT_FALSE(found.verdict.checked);
  EXPECT_TRUE(props::contains(found.verdict.finding, "a call takes too long"))
      << found.verdict.finding;
  EXPECT_TRUE(failure(kSmall, "no-leak").verdict.checked);
}

}  // namespace
}  // namespace gradproof::campaign
