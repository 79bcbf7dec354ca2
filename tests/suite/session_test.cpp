// Calls of a library that misbehaves: every way of it has to be seen and said.
#include <limits>

#include "props/cases/input_error.h"
#include "props/cases/memory_layout.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

class FakeSession : public testing::Test {
 protected:
  Library library_{std::vector<std::string>{FAKE_RUNTIME, FAKE_OPERATOR}};
  Session session_{library_};

  void SetUp() override { ASSERT_TRUE(session_.select(ref::Product::Ascend910B)); }

  void expect_violation(const char* fault, const std::string& kind, const std::string& text) {
    const Fault misbehave(fault);
    const Verdict verdict = judged(session_, pad_case());
    EXPECT_FALSE(verdict.held) << fault;
    EXPECT_EQ(verdict.kind, kind) << fault;
    EXPECT_PRED2(contains, verdict.finding, text) << fault;
  }
};

TEST_F(FakeSession, ARightResultHolds) {
  const Verdict verdict = judged(session_, pad_case());
  EXPECT_TRUE(verdict.held) << verdict.finding;
  EXPECT_LE(verdict.worst_fraction, 1);
}

TEST_F(FakeSession, WithoutSocNameItIsTheDefaultProductAlone) {
  EXPECT_FALSE(session_.select(ref::Product::Ascend910));
  EXPECT_EQ(session_.product(), ref::Product::Ascend910B);
  EXPECT_TRUE(session_.select(ref::Product::Ascend910B));
}

TEST_F(FakeSession, WrongValuesAreShownWithPlaceBoundAndDistance) {
  expect_violation("last column", "values",
                   "gradInput differs in 6 of 24 values; the first:\n  gradInput[0,0,0,3]: got ");
  expect_violation("last column", "values", "allowed [");
  expect_violation("last column", "values", " ulp");
}

TEST_F(FakeSession, StaleMemoryInSumsShows) { expect_violation("stale", "values", "gradInput"); }

TEST_F(FakeSession, WritesOutsideShow) {
  expect_violation("before", "trespass",
                   "gradInput: written 3 bytes before its start (byte FF became 01)");
  expect_violation("behind", "trespass", "gradInput: written 5 bytes past its end");
  expect_violation("gap", "trespass",
                   "gradInput: written storage element 0, which the view does not reach");
  expect_violation("input", "trespass",
                   "gradOutput: written storage element 55 of an argument that is never written");
  expect_violation("workspace", "trespass",
                   "byte 40 of the workspace was written; phase 1 required 40");
  expect_violation("workspace by 4", "trespass",
                   "bytes 40 to 43 of the workspace were written; phase 1 required 40");
}

TEST_F(FakeSession, WritesOutsideShowWhateverIsAsked) {
  const Fault misbehave("workspace");
  const Case c = pad_case();
  for (const char* name : {"poison", "threads", "early-destruction", "layout", "gradient-sum",
                           "support", "special-values", "linearity"}) {
    const Property& property = *find_property(name);
    EXPECT_TRUE(property.applies(c)) << name;
    Bench bench{session_};
    const Verdict verdict = property.check(c, bench);
    EXPECT_EQ(verdict.kind, "trespass") << name << ": " << verdict.finding;
  }
}

TEST_F(FakeSession, FailuresOfValidCallsShow) {
  expect_violation("refuses", "phase 2", "phase 2 returned 161002, expected 0");
  expect_violation("synchronise", "synchronisation", "synchronisation returned 507035, expected 0");
  expect_violation("null executor", "outputs of phase 1", "null executor");
  expect_violation("no size", "outputs of phase 1", "did not set *workspaceSize");
  expect_violation("huge workspace", "runtime", "workspace of 18446744073709551615 bytes");
}

TEST_F(FakeSession, AFailingRuntimeFunctionShows) {
  Session fresh(library_);
  const Fault misbehave("malloc");
  ASSERT_TRUE(fresh.select(ref::Product::Ascend910B));
  EXPECT_PRED2(contains, judged(fresh, pad_case()).finding, "aclrtMalloc returned 200000");
}

TEST_F(FakeSession, ALibraryThatCannotBeInitialisedIsNoVerdict) {
  Session fresh(library_);
  const Fault misbehave("init");
  EXPECT_THROW(fresh.select(ref::Product::Ascend910B), InputError);
}

TEST_F(FakeSession, OutputsOfARefusedPhase1AreWatched) {
  Case c = pad_case();
  c.call.tensors[1].null = true;
  EXPECT_TRUE(judge_phase1(c.call, session_.get_workspace_size(c.call)).held);
  for (const char* name : {"writes workspaceSize", "writes executor"}) {
    const Fault misbehave(name);
    EXPECT_EQ(judge_phase1(c.call, session_.get_workspace_size(c.call)).kind, "outputs of phase 1")
        << name;
  }
  const Fault misbehave("null status");
  const Verdict verdict = judge_phase1(c.call, session_.get_workspace_size(c.call));
  EXPECT_EQ(verdict.kind, "status null-argument");
  EXPECT_PRED2(contains, verdict.finding, "returned 161002, expected 161001");
}

TEST_F(FakeSession, AnInvalidCallThatIsAcceptedIsAViolation) {
  Case c = pad_case();
  c.call.tensors[0].dtype = 3;
  EXPECT_EQ(judge_phase1(c.call, session_.get_workspace_size(c.call)).kind, "status dtype");
}

TEST_F(FakeSession, MisuseIsTriedAndTheExecutorRunsAfterwards) {
  Case c = pad_case();
  for (const Misuse misuse :
       {Misuse::null_executor, Misuse::null_workspace, Misuse::small_workspace}) {
    c.misuse = misuse;
    const std::vector<ref::Dense> data = make_data(c);
    const Outcome outcome = session_.perform(c, data);
    EXPECT_TRUE(outcome.misused);
    EXPECT_TRUE(outcome.ran);
    EXPECT_TRUE(judge_outcome(c, data, outcome).held);
  }
  // The fake does not know what a consumed executor is.
  c.misuse = Misuse::consumed_executor;
  EXPECT_EQ(judged(session_, c).kind, "misuse consumed_executor");
}

TEST(JudgeOutcome, ANullPointerComesBeforeAnotherMisuse) {
  Case c = pad_case();
  c.call.tensors[0].null_data = true;
  for (const Misuse misuse :
       {Misuse::small_workspace, Misuse::foreign_executor, Misuse::dead_stream}) {
    c.misuse = misuse;
    Outcome outcome;
    outcome.phase1.workspace_touched = outcome.phase1.executor_touched = true;
    outcome.misused = true;
    outcome.misuse_status = 161001;
    EXPECT_TRUE(judge_outcome(c, {}, outcome).held) << name(misuse);
    outcome.misuse_status = misuse_status(misuse);
    EXPECT_FALSE(judge_outcome(c, {}, outcome).held) << name(misuse);
  }
}

TEST(JudgeMessage, OfSeveralNullArgumentsAnyMayBeNamed) {
  Case c = pad_case();
  c.call.tensors[0].null = c.call.arrays[0].null = true;
  Phase1 got;
  got.status = 161001;
  got.message = "aclnnReplicationPad2dBackward: null-argument: padding is a null pointer";
  EXPECT_FALSE(judge_message(c.call, got).held);
  EXPECT_TRUE(judge_message(c.call, got, Naming::any_argument).held);
  got.message = "aclnnReplicationPad2dBackward: null-argument";
  EXPECT_FALSE(judge_message(c.call, got, Naming::any_argument).held);
}

TEST(LayoutOf, SaysWhenMemoryCannotBeLaidOutAsClaimed) {
  Case c = pad_case();
  EXPECT_TRUE(fits_address_space(layout_of(c.call)));
  c.call.tensors[1].storage = {std::int64_t{1} << 60};
  EXPECT_FALSE(fits_address_space(layout_of(c.call)));
  c = pad_case();
  c.call.tensors[1].shares = 0;
  c.call.tensors[1].shares_at = std::numeric_limits<std::int64_t>::min();
  EXPECT_FALSE(fits_address_space(layout_of(c.call)));
  c = pad_case();  // also of a tensor that begins before the other
  c.call.tensors[1].shares = 0;
  c.call.tensors[1].shares_at = -61;
  c.call.tensors[1].storage = {std::int64_t{1} << 60};
  EXPECT_FALSE(fits_address_space(layout_of(c.call)));
  c = pad_case();  // and of one that lies far before one that lies a little after another
  c.call.tensors[1].shares = 0;
  c.call.tensors[1].shares_at = 40;
  c.call.tensors[2].shares = 1;
  c.call.tensors[2].shares_at = std::numeric_limits<std::int64_t>::min();
  EXPECT_FALSE(fits_address_space(layout_of(c.call)));
}

TEST(ElementCount, OfAnEmptyTensorIsZeroWhateverItsOtherExtents) {
  ref::Tensor t;
  t.shape = {std::int64_t{1} << 62, 24, 0, 7};
  EXPECT_EQ(element_count(t), 0);
}

TEST_F(FakeSession, PhaseOneAloneTakesAnyClaimedSize) {
  Case c = pad_case();
  const std::int64_t huge = std::int64_t{1} << 58;
  for (ref::Tensor& t : c.call.tensors) {
    t.shape = t.storage = {huge, 1, 1, 1};
    t.strides = ref::contiguous_strides(t.shape);
    t.offset = 0;
  }
  EXPECT_EQ(session_.get_workspace_size(c.call).status, 0);
}

TEST_F(FakeSession, PropertiesFindWhatTheyAreFor) {
  Bench bench{session_};
  const auto kind = [&](const char* property, const char* fault) {
    const Fault misbehave(fault);
    return find_property(property)->check(pad_case(), bench).kind;
  };
  EXPECT_EQ(kind("gradient-sum", "none"), "");
  EXPECT_EQ(kind("gradient-sum", "last column"), "sum");
  EXPECT_EQ(kind("poison", "none"), "");
  EXPECT_EQ(kind("poison", "stale"), "bits");
  EXPECT_EQ(kind("threads", "none"), "");
  EXPECT_EQ(kind("instruction-sets", "none"), "");
  EXPECT_EQ(kind("equivalence", "last column"), "values");
}

}  // namespace
}  // namespace gradproof::props
