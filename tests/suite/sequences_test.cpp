// Sequences: their text form, the model on its own, what they find in fakes.
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/source.h"
#include "props/sequences/sequence.h"

#include <gtest/gtest.h>

#include "props/cases/input_error.h"
#include "props/cases/shrink/rapid.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

constexpr Functions kAll = ~Functions{0};

std::vector<ref::Operator> all_operators() {
  std::vector<ref::Operator> all;
  for (int i = 0; i < ref::kOperatorCount; ++i) all.push_back(static_cast<ref::Operator>(i));
  return all;
}

Case with_sequence(const std::string& sequence) {
  return parse_case(to_text(pad_case()) + " sequence=" + sequence);
}

TEST(SequenceText, AnyBytesPrintAndReadBack) {
  EXPECT_TRUE(rc::check("round trip", [](const std::vector<std::array<std::uint8_t, 6>>& bytes) {
    Case c = pad_case();
    for (const auto& b : bytes) {
      c.sequence.push_back(command_of(b[0], {b[1], b[2], b[3], b[4], b[5]}));
      if (c.sequence.size() == kLongestSequence) break;
    }
    RC_ASSERT(parse_case(to_text(c)) == c);
  }));
}

TEST(SequenceText, ErrorsNameTheToken) {
  for (const char* wrong :
       {"rnu(0,1,right)", "run(0,1)", "run(0,9,right)", "run(0,1,left)", "run", "message(1)"})
    EXPECT_THROW(with_sequence(wrong), InputError) << wrong;
  try {
    with_sequence("rnu(0,1,right)");
  } catch (const InputError& e) {
    EXPECT_TRUE(contains(e.what(), "did you mean 'run'")) << e.what();
  }
}

/// The status that the last of the commands gets; nothing if it is not to be executed.
std::optional<std::int32_t> last_status(const std::string& sequence) {
  const Case c = with_sequence(sequence);
  const World world(c, all_operators(), kAll);
  Model model(world);
  std::optional<Expected> last;
  for (const Command& command : c.sequence) last = model.take(command);
  return last ? std::optional(last->status) : std::nullopt;
}

TEST(Model, FollowsExecutors) {
  const std::string ready = "describe(0,0,0,0);plan(0,0,right);";
  EXPECT_EQ(last_status("run(0,0,right)"), 161001);
  EXPECT_EQ(last_status("run(3,0,right)"), 161002);
  EXPECT_EQ(last_status(ready + "run(0,0,right)"), 0);
  EXPECT_EQ(last_status(ready + "run(0,0,right);run(0,0,right)"), 161002);
  EXPECT_EQ(last_status(ready + "repeat(0);run(0,0,right);run(0,0,right)"), 0);
  EXPECT_EQ(last_status(ready + "run(0,1,right)"), 361001);
  EXPECT_EQ(last_status(ready + "run(0,1,right);run(0,0,right)"), 0);  // refused, not consumed
  EXPECT_EQ(last_status(ready + "run(0,0,foreign)"), 161002);
  EXPECT_EQ(last_status(ready + "discard(0);discard(0)"), 161002);
  EXPECT_EQ(last_status("discard(0)"), 561103);
  EXPECT_EQ(last_status(ready + "address(0,0,output,0,null);run(0,0,right)"), 161001);
}

TEST(Model, KnowsWhatIsOrdered) {
  const std::string two =
      "describe(0,0,0,0);plan(0,0,right);repeat(0);create_stream(1);create_stream(2);"
      "create_event(0);run(0,1,right);";
  // Two streams that write one place at once: no meaning.
  EXPECT_EQ(last_status(two + "run(0,2,right)"), std::nullopt);
  EXPECT_EQ(last_status(two + "synchronise(1);run(0,2,right)"), 0);
  EXPECT_EQ(last_status(two + "record(0,1);run(0,2,right)"), std::nullopt);
  EXPECT_EQ(last_status(two + "record(0,1);wait(2,0);run(0,2,right)"), 0);
  EXPECT_EQ(last_status(two + "record(0,1);await(0);run(0,2,right)"), 0);
  EXPECT_EQ(last_status("create_event(0);await(0)"), 100000);
}

TEST(Model, FailuresBelongToTheirStream) {
  const std::string failed =
      "create_stream(1);create_stream(2);describe(0,1,2,0);plan(0,0,right);run(0,1,right);";
  EXPECT_EQ(last_status(failed + "synchronise(2)"), 0);
  EXPECT_EQ(last_status(failed + "synchronise(1)"), 507035);
  EXPECT_EQ(last_status(failed + "synchronise(1);synchronise(1)"), 0);
  EXPECT_EQ(last_status(failed + "destroy_stream(1)"), 507035);
}

TEST(World, ABadIndexThatAnotherElementMayLieOnFailsNothing) {
  const auto failing = [](const std::string& indices) {
    const Case c = parse_case(
        "adaptive_max_pool3d_backward gradOutput=FLOAT[1,1,2,1]:ND self=FLOAT[1,1,2,1]:ND "
        "indices=" +
        indices + " gradInput=FLOAT[1,1,2,1]:ND");
    return World(c, all_operators(), kAll).failing_slot(0);
  };
  EXPECT_EQ(failing("INT32[1,1,2,1]:ND"), 2);
  EXPECT_EQ(failing("INT32[1,1,2,1]:ND:strides(2,2,0,1):storage(1,1,2,1)"), -1);
}

/// What is required is within reach, or each operator's sequences would be sought for in vain.
void expect_covered(Functions functions) {
  for (const ref::Operator op : all_operators()) {
    SeededSource source(11);
    std::vector<CoveragePoint> among = coverage_points(op);
    std::erase_if(among,
                  [](const CoveragePoint& c) { return c.product != ref::Product::Ascend910B; });
    const std::optional<Case> c = generate_actor(source, among.front());
    ASSERT_TRUE(c);
    std::set<std::string> missing;
    covering_sequences(World(*c, all_operators(), functions), 1, &missing);
    EXPECT_TRUE(missing.empty()) << ref::signature(op).stem << ": " << *missing.begin();
  }
}

TEST(Sequences, CoverTheModelOfEveryOperator) { expect_covered(kAll); }

TEST(Sequences, CoverTheModelUnderEachProfile) {
  const Library library(std::vector<std::string>{GRADPROOF_LIBRARY});
  for (const std::string_view name : profiles::shipped_profiles()) {
    SCOPED_TRACE(name);
    const profiles::Use use(profiles::find_profile(std::string(name)));
    expect_covered(functions_of(library.api(), &use));
  }
}

TEST(Sequences, AnyCommandsCanBePerformed) {
  EXPECT_TRUE(rc::check("any commands", [](const std::vector<std::array<std::uint8_t, 6>>& bytes) {
    Case c = pad_case();
    for (const auto& b : bytes)
      c.sequence.push_back(command_of(b[0], {b[1], b[2], b[3], b[4], b[5]}));
    RC_ASSERT(our_session().select(c.call.product));
    const Verdict verdict = run_sequence(c, c.sequence, our_session());
    if (!verdict.held) RC_FAIL(verdict.finding + "\n" + to_text(c));
  }));
}

TEST(Sequences, SeeWhatAFakeDoesWrong) {
  // The fake has one operator, runs executors any number of times and lacks what is optional.
  const Library library(std::vector<std::string>{FAKE_BOTH});
  Session fake(library);
  ASSERT_TRUE(fake.select(ref::Product::Ascend910B));
  const auto verdict = [&](const std::string& text, int* left_out = nullptr) {
    const Case c = with_sequence(text);
    return run_sequence(c, c.sequence, fake, nullptr, left_out);
  };
  const std::string once = "describe(0,0,0,0);plan(0,0,right);run(0,0,right)";
  int left_out = 0;
  EXPECT_TRUE(verdict(once + ";create_event(0);repeat(0);fill(0,0,0,1)", &left_out).held);
  EXPECT_EQ(left_out, 3);
  EXPECT_EQ(verdict(once + ";run(0,0,right)").kind, "sequence run");
  const Fault fault("last column");
  EXPECT_EQ(verdict(once + ";synchronise(0)").kind, "sequence values");
}

// "run(1,0,right)" says nothing to a reader who does not know what the second call is.
TEST(Sequences, AFindingNamesBothCalls) {
  const Fault fault("synchronise");
  const auto finding = [](const char* file, const std::string& sequence) {
    const Library library(std::vector<std::string>{file});
    Session fake(library);
    EXPECT_TRUE(fake.select(ref::Product::Ascend910B));
    const Case c = with_sequence(sequence);
    return run_sequence(c, c.sequence, fake).finding;
  };
  const std::string both = finding(FAKE_REFERENCE, "synchronise(0)");
  EXPECT_PRED2(contains, both, "command 1, synchronise(0): returned 507035");
  EXPECT_PRED2(contains, both, "; c=0 is aclnnReplicationPad2dBackward, c=1 is ");
  const std::string second = both.substr(both.find("c=1 is ") + 7);
  const Case other = parse_case(second.substr(second.find(": ") + 2));
  EXPECT_TRUE(second.starts_with(std::string(ref::signature(other.call.op).api) + ": ")) << both;
  EXPECT_EQ(other.call,
            World(with_sequence("synchronise(0)"), all_operators(), kAll).calls.at(1).call);
  EXPECT_FALSE(contains(finding(FAKE_BOTH, "synchronise(0)"), "c=1")) << "it has one operator";
}

}  // namespace
}  // namespace gradproof::props
