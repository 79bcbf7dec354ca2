// Libraries that crash, hang, leave, print and leak: each is a verdict, and the suite goes on.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <tuple>

#include "props/cases/input_error.h"
#include "props/services/surroundings.h"
#include "props/worker/worker.h"
#include "tests/suite/worker_fixture.h"

namespace gradproof::props {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

/// What becomes of a batch in which the first and the third call go wrong.
std::vector<Answer> batch_with(const char* fault, double timeout = kPatience) {
  const Fault misbehave(fault);
  const std::unique_ptr<Examiner> examiner = examine(timeout);
  EXPECT_EQ(examiner->operators(), std::vector{ref::Operator::replication_pad2d_backward});
  EXPECT_EQ(examiner->products(), std::vector{ref::Product::Ascend910B});
  const Case hit = pad_case(), spared = spared_case();
  const std::vector<Check> checks = {
      {&equivalence, &hit}, {&equivalence, &spared}, {&equivalence, &hit}, {&equivalence, &spared}};
  std::vector<Answer> answers = examiner->check(checks);
  EXPECT_EQ(answers.size(), checks.size());
  answers.resize(checks.size());
  EXPECT_TRUE(answers[1].verdict.held) << answers[1].verdict.finding;
  EXPECT_TRUE(answers[3].verdict.held) << answers[3].verdict.finding;
  return answers;
}

struct Loss {
  const char* fault;
  const char* kind;
  const char* text;
};

class Losses : public testing::TestWithParam<Loss> {};

TEST_P(Losses, AreVerdictsOfTheirCallAlone) {
  const auto& [fault, kind, text] = GetParam();
  const std::vector<Answer> answers =
      batch_with(fault, std::string_view(kind) == "hang" ? 4 : kPatience);
  for (const int i : {0, 2}) {
    EXPECT_FALSE(answers[i].verdict.held);
    EXPECT_EQ(answers[i].verdict.kind, kind);
    EXPECT_PRED2(contains, answers[i].verdict.finding, text);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Worker, Losses,
    testing::Values(Loss{"abort in phase 1", "crash", "died of SIGABRT in phase 1"},
                    Loss{"abort in phase 2", "crash", "died of SIGABRT in phase 2"},
                    Loss{"abort on a thread", "crash", "died of SIGABRT in aclrtSynchronizeStream"},
                    Loss{"exit in phase 2", "exit",
                         kSanitized ? "exit status" : "exit status 0 in phase 2"},
                    Loss{"hang", "hang", "no response for 4 s in aclrtSynchronizeStream"}),
    [](const auto& instance) {
      std::string name = instance.param.fault;
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

TEST(Worker, ALossBetweenChecksIsSaidToBeOne) {
  const std::string file = testing::TempDir() + "gradproof-abort-" + std::to_string(getpid());
  setenv("FAKE_FILE", file.c_str(), 1);
  const Fault misbehave("abort when told");
  const std::unique_ptr<Examiner> examiner = examine();
  const Case hit = pad_case(), spared = spared_case();
  EXPECT_TRUE(examiner->attempt({&equivalence, &hit}, 0).held);
  std::ofstream(file).put('\n');
  while (std::ifstream(file)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // from unlink to the end
  const Verdict verdict = examiner->attempt({&equivalence, &spared}, 0);
  EXPECT_EQ(verdict.kind, "crash");
  EXPECT_PRED2(contains, verdict.finding, "SIGABRT between calls, before this check had begun");
  EXPECT_TRUE(examiner->attempt({&equivalence, &spared}, 0).held);
}

TEST(Worker, ASoundLibraryHoldsAndItsResultsComeOver) {
  const std::vector<Answer> answers = batch_with("none");
  EXPECT_TRUE(answers[0].verdict.held) << answers[0].verdict.finding;
  const std::unique_ptr<Examiner> examiner = examine();
  const std::vector<ref::Dense> outputs = examiner->outputs(pad_case());
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[2].shape, (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(outputs[2].bytes.size(), 96u);
}

TEST(Worker, ResultsAndVerdictAreOfOneRun) {
  const Fault misbehave("differs");
  const std::unique_ptr<Examiner> examiner = examine();
  const Case c = pad_case();
  const auto first_value = [](const std::string& text, const std::string& before) {
    const std::size_t at = text.find(before) + before.size();
    return text.substr(at, text.find_first_of(", \n", at) - at);
  };
  std::string last;
  for (int i = 0; i < 2; ++i) {
    const Look look = examiner->look_at({&equivalence, &c});
    ASSERT_EQ(look.verdict.kind, "values");
    const std::string said = first_value(look.verdict.finding, "]: got ");
    EXPECT_PRED2(contains, look.calls.picture, '*' + said);
    EXPECT_NE(said, last);
    last = said;
  }
}

TEST(Worker, CallsOfAPropertysOwnAreShown) {
  const std::unique_ptr<Examiner> examiner = examine();
  const Case c = pad_case();
  EXPECT_PRED2(contains, examiner->look_at({&equivalence, &c}).calls.picture,
               "\ngot gradInput FLOAT[");
  EXPECT_EQ(examiner->look_at({find_property("poison"), &c}).calls.picture, "");  // compares runs
  const std::string calls = examiner->look_at({find_property("axis-order"), &c}).calls.picture;
  EXPECT_TRUE(calls.starts_with("call: replication_pad2d_backward")) << calls;
  const std::vector<Case> made = examiner->look_at({find_property("axis-order"), &c}).calls.made;
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[0].call.tensors[0].shape, c.call.tensors[0].shape);
  const std::vector<std::int64_t>& shape = c.call.tensors[0].shape;
  EXPECT_EQ(made[1].call.tensors[0].shape.back(), shape[shape.size() - 2]);
  const std::size_t other = calls.find("\ncall: ");
  ASSERT_NE(other, std::string::npos) << calls;
  for (const std::string& call : {calls.substr(0, other), calls.substr(other)}) {
    EXPECT_PRED2(contains, call, "\ngradOutput FLOAT[");
    EXPECT_PRED2(contains, call, "\ngot gradInput FLOAT[");
  }
}

TEST(Worker, CallsWithOtherDataOrLayoutAreNamed) {
  const std::unique_ptr<Examiner> examiner = examine();
  Case c = pad_case();
  c.fills[0] = {Fill::Kind::constant, 7, 0};
  const std::vector<Case> summed =
      examiner->look_at({find_property("gradient-sum"), &c}).calls.made;
  ASSERT_EQ(summed.size(), 1u);
  EXPECT_EQ(summed[0].fills[0].kind, Fill::Kind::integers);
  ref::Tensor& view = c.call.tensors[0];
  view.offset = 2;
  view.storage[0] += 2;
  const std::vector<Case> copied = examiner->look_at({find_property("layout"), &c}).calls.made;
  ASSERT_EQ(copied.size(), 1u);
  EXPECT_EQ(copied[0].call.tensors[0].offset, 0);
}

TEST(Worker, ACallOfItsOwnThatEndsTheLibraryIsNamed) {
  const Fault misbehave("aborts if cropped to 1");
  const std::unique_ptr<Examiner> examiner = examine();
  const Case c = parse_case(
      "replication_pad2d_backward gradOutput=FLOAT[1,1,1,3]:ND self=FLOAT[1,1,3,3]:ND "
      "padding=0,0,-1,-1 gradInput=FLOAT[1,1,3,3]:ND");
  const Property* const order = find_property("axis-order");
  EXPECT_EQ(examiner->attempt({order, &c}, 0).kind, "crash");
  const Look look = examiner->look_at({order, &c});
  ASSERT_EQ(look.calls.made.size(), 1u);
  EXPECT_EQ(look.calls.made[0].call.tensors[0].shape, (std::vector<std::int64_t>{1, 1, 3, 1}));
  const std::string& calls = look.calls.picture;
  EXPECT_TRUE(
      calls.starts_with("the library is lost in the call: replication_pad2d_backward "
                        "gradOutput=FLOAT[1,1,3,1]"))
      << calls;
  EXPECT_TRUE(examiner->look_at({&equivalence, &c}).verdict.held);
}

TEST(Worker, WrongValuesAreFoundAsInThisProcess) {
  const Fault misbehave("last column");
  const Case c = pad_case();
  const Verdict there = examine()->attempt({&equivalence, &c}, 0);
  const Verdict here = examine_here({.libraries = {FAKE_BOTH}})->attempt({&equivalence, &c}, 0);
  EXPECT_EQ(there.kind, "values");
  EXPECT_EQ(there.finding, here.finding);
  EXPECT_EQ(there.worst_fraction, here.worst_fraction);
}

TEST(Worker, WhatIsPrintedIsCaughtWithItsCheck) {
  const std::vector<Answer> answers = batch_with("prints");
  EXPECT_EQ(answers[0].printed, "hello from the fake\n");
  EXPECT_EQ(answers[1].printed, "");
  EXPECT_EQ(answers[2].printed, "hello from the fake\n");
}

TEST(Worker, StderrIsShownAndNoViolation) {
  const Fault misbehave("complains");
  const std::unique_ptr<Examiner> examiner = examine();
  const Case c = pad_case();
  EXPECT_TRUE(examiner->attempt({&equivalence, &c}, 0).held);
  EXPECT_PRED2(contains, examiner->errors(), "the fake complains\n");
}

TEST(Worker, ALibraryThatIsLostWhileItIsLoadedCannotBeUsed) {
  for (const auto& [fault, text] :
       {std::pair("abort at load", "died of SIGABRT while it is loaded"),
        {"hang at load", "no response for 2 s while it is loaded"}}) {
    const Fault misbehave(fault);
    try {
      examine(fault[0] == 'h' ? 2 : kPatience);
      ADD_FAILURE() << fault;
    } catch (const InputError& e) {
      EXPECT_PRED2(contains, e.what(), text);
      EXPECT_PRED2(contains, e.what(), FAKE_BOTH);
    }
  }
  EXPECT_THROW(examine(kPatience, [] { return false; }, {FAKE_OPERATOR}), InputError);
  EXPECT_THROW(examine(kPatience, [] { return false; }, {"/nowhere/libx.so"}), InputError);
}

TEST(Worker, ALossWhileItIsLoadedAgainIsAVerdict) {
  for (const auto& [fault, kind, text] :
       {std::tuple("abort at load", "crash", "died of SIGABRT while it is loaded"),
        {"hang at load", "hang", "no response for 4 s while it is loaded"}}) {
    const std::unique_ptr<Examiner> examiner = examine(4);
    const Case c = pad_case();
    {
      const Fault misbehave(fault);
      examiner->renew();
      const Verdict verdict = examiner->attempt({&equivalence, &c}, 0);
      EXPECT_EQ(verdict.kind, kind);
      EXPECT_PRED2(contains, verdict.finding, text);
      EXPECT_TRUE(examiner->outputs(c).empty());
    }
    EXPECT_TRUE(examiner->attempt({&equivalence, &c}, 0).held) << fault;
  }
}

// As a library that is built again during a campaign.
TEST(Worker, ALibraryThatCannotBeLoadedAgainIsTheHostsMatter) {
  const TemporaryFolder folder;
  const std::filesystem::path copy = folder.path() / "copy.so";
  std::filesystem::copy_file(FAKE_BOTH, copy);
  const std::unique_ptr<Examiner> examiner =
      examine(kPatience, [] { return false; }, {copy.string()});
  std::filesystem::remove(copy);
  examiner->renew();
  const Case c = pad_case();
  EXPECT_THROW((void)examiner->attempt({&equivalence, &c}, 0), HostError);
}

TEST(Worker, ALibraryThatCannotBeStartedIsRefusedByIt) {
  for (const auto& [fault, text] : {std::pair("init", "aclInit returned 500000"),
                                    {"device", "aclrtSetDevice returned 507033"},
                                    {"abort in init", "died of SIGABRT in aclInit"}}) {
    const Fault misbehave(fault);
    const std::unique_ptr<Examiner> examiner = examine();
    EXPECT_TRUE(examiner->products().empty()) << fault;
    ASSERT_EQ(examiner->refusals().size(), 1u) << fault;
    EXPECT_PRED2(contains, examiner->refusals()[0].verdict.finding, text);
    const Case c = pad_case();
    EXPECT_PRED2(contains, examiner->attempt({&equivalence, &c}, 0).finding, text);
    EXPECT_TRUE(examiner->outputs(c).empty()) << fault;
  }
}

TEST(Worker, ALibraryThatIsLostAtItsEndLosesNothingElse) {
  for (const char* fault : {"abort at exit", "hang at exit"})
    EXPECT_TRUE(batch_with(fault)[0].verdict.held);
}

TEST(Worker, NoProcessIsLeftBehind) {
  batch_with("abort in phase 2");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(Worker, NoTemporaryFileIsLeftBehind) {
  const TemporaryFolder folder;
  Variable place("TMPDIR");
  place.set(folder.path().c_str());
  EXPECT_EQ(batch_with("abort beside a file")[0].verdict.kind, "crash");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Worker, DeviceMemoryIsTouchedByTheLibraryAlone) {
  const Fault fault("device memory");
  const std::unique_ptr<Examiner> examiner = examine();
  const Case c = pad_case();
  for (const Property& property : properties()) {
    if (!property.applies(c)) continue;
    const Verdict verdict = examiner->attempt({&property, &c}, 0);
    EXPECT_TRUE(verdict.held) << property.name << ": " << verdict.finding;
  }
}

TEST(NoLeak, FindsTheSmallestObject) {
  const Case c = pad_case();
  const Property& no_leak = *find_property("no-leak");
  EXPECT_TRUE(examine()->attempt({&no_leak, &c}, 0).held);
  const Fault misbehave("leaks");
  const Verdict verdict = examine()->attempt({&no_leak, &c}, 0);
  EXPECT_EQ(verdict.kind, "leak");
  EXPECT_PRED2(contains, verdict.finding, "each call leaves");
  EXPECT_PRED2(contains, verdict.finding, " bytes of the heap allocated");
  // The fake has no aclDestroyAclOpExecutor, without which phase 1 alone cannot be repeated.
  EXPECT_FALSE(contains(verdict.finding, "phase 1 alone")) << verdict.finding;
}

TEST(Quiet, FindsWhatIsPrinted) {
  const Case c = pad_case();
  const Property& quiet = *find_property("quiet");
  EXPECT_TRUE(examine()->attempt({&quiet, &c}, 0).held);
  const Fault misbehave("prints");
  EXPECT_PRED2(contains, examine()->attempt({&quiet, &c}, 0).finding, "hello from the fake");
  EXPECT_PRED2(contains, examine_here({.libraries = {FAKE_BOTH}})->attempt({&quiet, &c}, 0).finding,
               "hello from the fake");
}

}  // namespace
}  // namespace gradproof::props
