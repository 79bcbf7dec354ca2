// The suite on a library that behaves as CANN's framework does: it must pass, and the habits that
// would be undefined there must show.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "props/cases/command.h"
#include "props/cases/input_error.h"
#include "props/subject/product.h"
#include "props/worker/examiner.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

constexpr const char* kPad =
    "replication_pad2d_backward gradOutput=FLOAT[2,3,9,8]:ND:fill(uniform,-1,1) "
    "self=FLOAT[2,3,5,4]:ND "
    "padding=2,2,2,2 gradInput=FLOAT[2,3,5,4]:ND";

/// A library that promises nothing beyond the operators' documents.
constexpr Treatment kForeign{false, false, false};

TEST(Cann, CheckedAsDocumentedItPasses) {
  const auto examiner = examine_here({.libraries = {FAKE_CANN}, .profile = {}, .profile_file = {}});
  EXPECT_EQ(examiner->profile().name, "documented");
  EXPECT_EQ(examiner->products(), std::vector{ref::Product::Ascend910B});
  const Case valid = parse_case(kPad);
  Case refused = valid;
  refused.call.tensors[0].dtype = ACL_INT8;
  Case sequence = valid;
  sequence.sequence = parse_sequence(
      "describe(0,0,0,0);plan(0,0,right);run(0,0,right);forget(0);synchronise(0);forget(0)", 1);
  for (const Case& c : {valid, refused, sequence}) {
    for (const Property& property : properties()) {
      if (!property.applies(c)) continue;
      const Check check{&property, &c};
      const Answer answer = examiner->check({&check, 1}).front();
      EXPECT_TRUE(answer.verdict.held) << property.name << ": " << answer.verdict.finding;
    }
  }
  const Check early{find_property("early-destruction"), &valid};
  EXPECT_FALSE(examiner->check({&early, 1}).front().verdict.checked);
}

TEST(Cann, EarlyDestructionShows) {
  const Library library(std::vector<std::string>{FAKE_CANN});
  Session session(library, kForeign);
  session.begin();
  const Case c = parse_case(kPad);
  EXPECT_TRUE(judged(session, c).held);
  EXPECT_DEATH(session.perform(c, make_data(c), {.early_destruction = true}),
               "a tensor or array of its executor was destroyed");
}

TEST(Cann, AnExecutorAfterAFailureShows) {
  const Library library(std::vector<std::string>{FAKE_CANN});
  Case c = parse_case(kPad);
  c.call.tensors[0].null_data = true;
  EXPECT_DEATH(
      {
        Session trusting(library, {false, true, true});
        trusting.begin();
        trusting.perform(c, make_data(c));
      },
      "executor that is gone");
  Session foreign(library, kForeign);
  foreign.begin();
  EXPECT_EQ(foreign.perform(c, make_data(c)).phase2, 161001);
}

TEST(Cann, ForcedProductsAreRefused) {
  const Library library(std::vector<std::string>{FAKE_CANN});
  { Session(library, kForeign).begin(); }
  Session forcing(library);
  try {
    forcing.select(ref::Product::Ascend910);
    FAIL() << "a second content was taken";
  } catch (const InputError& e) {
    EXPECT_PRED2(contains, e.what(), "aclInit returned 100002");
  }
}

TEST(Cann, ConfigurationFilesHaveRealPaths) {
  const ConfigFile file(ref::Product::Ascend910B, 2);
  char* const resolved = realpath(file.path(), nullptr);
  EXPECT_NE(resolved, nullptr);
  std::free(resolved);
  EXPECT_EQ(ConfigFile(std::nullopt, 0).path(), nullptr);
}

TEST(Cann, AChildOfForkLeavesTheConfigurationFile) {
  auto file = std::make_unique<ConfigFile>(ref::Product::Ascend910B, 2);
  const std::string path = file->path();
  const pid_t child = fork();
  if (child == 0) {
    file.reset();
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(std::filesystem::exists(path));
  file.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace gradproof::props
