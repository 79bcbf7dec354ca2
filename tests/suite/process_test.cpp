// What the suite asks about a library's process and streams is answered by ours, and each defect is
// found.
#include <csignal>
#include <functional>
#include <utility>

#include "props/properties/environment.h"
#include "props/sequences/sequence.h"
#include "props/services/probe.h"
#include "props/services/services.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

/// The first file that has a function provides it.
const std::vector<std::string> kFiles = {FAKE_PROCESS, GRADPROOF_LIBRARY};

Verdict play_in(Session& session, const std::string& sequence) {
  const Case c = parse_case(to_text(pad_case()) + " sequence=" + sequence);
  int left_out = 0;
  const Verdict verdict = run_sequence(c, c.sequence, session, nullptr, &left_out);
  EXPECT_EQ(left_out, 0);
  return verdict;
}

Verdict play(const std::string& sequence) {
  const Library library(kFiles);
  Session session(library);
  EXPECT_TRUE(session.select(ref::Product::Ascend910B));
  return play_in(session, sequence);
}

/// Call 1 has a bad index: whoever waits for it reports that.
constexpr const char* kFailing = "describe(0,1,2,0);plan(0,0,right);set_device();run(0,0,right);";

TEST(Process, EachResetUndoesOneSet) {
  const std::string reset = kFailing + std::string("reset_device();");
  EXPECT_TRUE(play(reset + "synchronise(0);reset_device()").held);
  EXPECT_TRUE(play(reset + "reset_device();synchronise(0);reset_device()").held);
  const Fault fault("resets are not counted");
  EXPECT_EQ(play(reset + "synchronise(0)").kind, "sequence reset_device");
}

TEST(Process, QuestionsThatCallFinalizeLeaveTheDeviceSet) {
  const Library library(kFiles);
  Session session(library);
  const Case c = parse_case(to_text(pad_case()));
  const std::pair<const char*, std::function<std::string()>> questions[] = {
      {"configuration", [&] { return ask_configuration(session, c.call); }},
      {"messages", [&] { return ask_environment_messages(session, c.call); }},
      {"diagnosis", [&] { return ask_diagnosis(session); }},
      {"observation", [&] { return ask_observation(session, c); }}};
  for (const auto& [name, ask] : questions) {
    EXPECT_TRUE(session.select(ref::Product::Ascend910B)) << name;
    EXPECT_EQ(ask(), "") << name;
    EXPECT_EQ(play_in(session, kFailing + std::string("reset_device();synchronise(0)")).finding, "")
        << name;
  }
}

TEST(Process, FinalizeEndsAllReferences) {
  EXPECT_TRUE(play("describe(0,1,2,0);plan(0,0,right);set_device();restart(finalise);"
                   "run(0,0,right);reset_device();synchronise(0)")
                  .held);
}

TEST(Process, WorkStartsWithoutASynchronisation) {
  const std::string work =
      "create_stream(1);delay(1);describe(0,0,0,0);plan(0,0,right);run(0,1,right);";
  EXPECT_TRUE(play(work + "poll(1);query_stream(1)").held);
  const Fault fault("queries start nothing");
  EXPECT_EQ(play(work + "poll(1)").kind, "sequence poll");
}

TEST(Process, AWorkspaceInTheDataIsRefused) {
  const std::string inside = "describe(0,0,0,0);plan(0,0,right);run(0,0,inside)";
  EXPECT_TRUE(play(inside + ";run(0,0,right);synchronise(0)").held);
  const Fault fault("any workspace will do");
  EXPECT_EQ(play(inside).kind, "sequence run");
}

/// What the suite finds of threads, fork, exit and cancellation.
std::string threads_and_exits() {
  const Library library(kFiles);
  Session session(library);
  EXPECT_TRUE(session.select(ref::Product::Ascend910B));
  use_probe_program(GRADPROOF_PROGRAM);
  const std::string found = ask_process(library);
  return found.empty() ? ask_quiet_threads(library) : found;
}

TEST(Process, ThreadsForksAndExitsAreAsPromised) {
  EXPECT_EQ(threads_and_exits(), "");
  const struct {
    const char* fault;
    const char* finding;
  } rows[] = {
      {"a reset hides the default stream",
       "aclrtSynchronizeStream(null) waits for the work while another thread resets the device"},
      {"a cancelled caller leaves a lock", "aclrtSynchronizeStream after a caller was cancelled"},
      {"a forked child waits", "a child of fork() that exits while a stream works does not end"},
      {"exit breaks calls", "a process that asks about exit dies of signal 6"},
      {"threads take signals", "threads of the library run no signal handler of the program: SIG"},
      {"threads look for work", "four streams without work sleep"},
  };
  for (const auto& [name, finding] : rows) {
    const Fault fault(name);
    std::string found;
    // Where the machine is busy, threads may not meet.
    for (int tries = 0; found.empty() && tries < 10; ++tries) found = threads_and_exits();
    EXPECT_PRED2(contains, found, finding) << name;
  }
}

TEST(Process, ThreadsDoNotOutliveTheLibrary) {
  use_probe_program(GRADPROOF_PROGRAM);
  const Library library(std::vector<std::string>{FAKE_UNLOADED, GRADPROOF_LIBRARY});
  EXPECT_EQ(ask_unloading(library), "");
  const Fault fault("a thread outlives dlclose");
  EXPECT_PRED2(contains, ask_unloading(library), "a process that asks about unloading ");
}

TEST(Process, WaitsTakeNoTasksOfTheProgram) {
  use_probe_program(GRADPROOF_PROGRAM);
  const Library library(kFiles);
  EXPECT_EQ(ask_host_tasks(library), "");
  const Fault fault("a wait takes the program's tasks");
  std::string found;
  for (int tries = 0; found.empty() && tries < 10; ++tries) found = ask_host_tasks(library);
  EXPECT_PRED2(contains, found, "a thread that waits inside a call takes no task of the program");
}

Verdict changing_indices() {
  const Library library(kFiles);
  use_probe_program(GRADPROOF_PROGRAM);
  const Case pool = parse_case(
      "adaptive_max_pool3d_backward gradOutput=FLOAT[1,1,1,2]:ND self=FLOAT[1,1,2,3]:ND "
      "indices=INT32[1,1,1,2]:ND gradInput=FLOAT[1,1,2,3]:ND");
  return ask_changing_indices(library, pool, nullptr);
}

TEST(Process, ChangingIndicesLeadNowhereElse) {
  const Verdict verdict = changing_indices();
  EXPECT_TRUE(verdict.held && verdict.checked) << verdict.finding;
  const struct {
    const char* fault;
    const char* finding;
  } rows[] = {
      {"an index is read twice", "a process that asks about changing indices"},
      {"an index near the plane is read twice",
       "while an index changes: memory outside the elements of gradInput was written"},
  };
  for (const auto& [name, finding] : rows) {
    const Fault fault(name);
    std::string found;
    // Where no step is possible, the change may not meet the read.
    for (int tries = 0; found.empty() && tries < 10; ++tries) found = changing_indices().finding;
    EXPECT_PRED2(contains, found, finding) << name;
  }
}

TEST(Process, TracesAndHandlersAreAsPromised) {
  const auto diagnosis = [] {
    const Library library(kFiles);
    Session session(library);
    EXPECT_TRUE(session.select(ref::Product::Ascend910B));
    return ask_diagnosis(session);
  };
  struct sigaction before {};
  sigaction(SIGSEGV, nullptr, &before);
  EXPECT_EQ(diagnosis(), "");
  const struct {
    const char* fault;
    const char* finding;
  } rows[] = {
      {"traces follow links", "a trace file that is a symbolic link returned 0"},
      {"traces wait for readers", "a trace file that is a FIFO returned 0"},
      {"strict mode keeps its handler", "the program's handler of SIGSEGV is in force again"},
  };
  for (const auto& [name, finding] : rows) {
    const Fault fault(name);
    sigaction(SIGSEGV, &before, nullptr);
    EXPECT_PRED2(contains, diagnosis(), finding) << name;
  }
  sigaction(SIGSEGV, &before, nullptr);
}

std::string queues() {
  const Library library(kFiles);
  Session session(library);
  EXPECT_TRUE(session.select(ref::Product::Ascend910B));
  return ask_full_queues(library, pad_case());
}

TEST(Process, FullQueuesAnswerAsPromised) {
  EXPECT_EQ(queues(), "");
  const struct {
    const char* fault;
    const char* finding;
  } rows[] = {
      {"queue_limit has no effect", "beyond a queue_limit of 16"},
      {"a full queue has another code", "aclrtMemsetAsync on a full stream returned 507899"},
      {"a long queue loses tasks", "that a stream took is done"},
      {"a full queue takes the executor", "with an executor that a full stream refused"},
  };
  for (const auto& [name, finding] : rows) {
    const Fault fault(name);
    std::string found;
    // Where the machine is busy, the queue may be empty before it is full: then there is nothing to
    // find.
    for (int tries = 0; found.empty() && tries < 10; ++tries) found = queues();
    EXPECT_PRED2(contains, found, finding) << name;
  }
}

}  // namespace
}  // namespace gradproof::props
