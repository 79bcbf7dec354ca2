// Libraries that are slow or hang, and users who do not want to wait.
#include <chrono>

#include "tests/suite/worker_fixture.h"

namespace gradproof::props {
namespace {

TEST(Worker, EndsWithTheCheckThatRunsWhereThatWasEnough) {
  const Fault misbehave("slow");  // 0.4 s a call
  const std::unique_ptr<Examiner> examiner = examine();
  const Case spared = spared_case();
  const std::vector<Check> checks(12, {&equivalence, &spared});
  ASSERT_TRUE(examiner->attempt(checks[0], 0).held);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  const auto enough = [&] { return std::chrono::steady_clock::now() > until; };
  const std::vector<Answer> answers = examiner->check(checks, enough);
  EXPECT_GE(answers.size(), 1u);
  EXPECT_LT(answers.size(), 12u);
  for (const Answer& answer : answers) {
    EXPECT_TRUE(answer.verdict.held && answer.verdict.checked);
    EXPECT_GT(answer.seconds, 0.3);
  }
  // The same process goes on, with the next request.
  EXPECT_EQ(examiner->check(std::vector<Check>(3, {&equivalence, &spared})).size(), 3u);
}

TEST(Worker, GivesEachCallTheTime) {
  const Fault misbehave("slow");
  const Property& streams = *find_property("streams");  // makes 6 calls
  const Case spared = spared_case();
  const std::unique_ptr<Examiner> examiner = examine(1.8);
  EXPECT_TRUE(examiner->attempt({&streams, &spared}, 0).held);
  EXPECT_EQ(examiner->attempt({&streams, &spared}, 1.2).kind, "hang")
      << "an attempt has the time as a whole";
}

TEST(Worker, APropertyThatHangsAgainAndAgainIsGivenUp) {
  const Fault misbehave("hang");
  const std::unique_ptr<Examiner> examiner = examine(4);
  const Case hit = pad_case();
  const std::vector<Check> checks(4, Check{&equivalence, &hit});
  const std::vector<Answer> answers = examiner->check(checks);
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[1].verdict.kind, "hang");
  EXPECT_NEAR(answers[1].seconds, 4, 0.01);  // what it cost
  EXPECT_FALSE(answers[1].given_up);
  EXPECT_TRUE(answers[2].given_up && answers[3].given_up);
  EXPECT_TRUE(answers[2].verdict.held);
}

TEST(Worker, TheUserNeedNotWaitForAHangingLibrary) {
  const Fault misbehave("hang");
  bool stop = false;
  const std::unique_ptr<Examiner> examiner = examine(kPatience, [&] { return stop; });
  const Case hit = pad_case(), spared = spared_case();
  ASSERT_TRUE(examiner->attempt({&equivalence, &spared}, 0).held);
  stop = true;
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Check> checks = {{&equivalence, &spared}, {&equivalence, &hit}};
  EXPECT_EQ(examiner->check(checks).size(), 1u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  const Verdict verdict = examiner->attempt({&equivalence, &hit}, 0);
  EXPECT_TRUE(verdict.held && !verdict.checked);  // nothing is known of it
}

TEST(Worker, WhatWasFoundBeforeTheUserStopsIsKept) {
  const Fault misbehave("abort in phase 2");
  int asked = 0;
  const Case hit = pad_case(), spared = spared_case();
  const std::unique_ptr<Examiner> examiner = examine(kPatience, [&] { return asked > 0; });
  const std::vector<Check> checks = {{&equivalence, &hit}, {&equivalence, &spared}};
  EXPECT_EQ(examiner->check(checks).size(), 2u);
  asked = 1;  // a loss now may be that of a signal to all processes
  EXPECT_TRUE(examiner->check(checks).empty());
}

}  // namespace
}  // namespace gradproof::props
