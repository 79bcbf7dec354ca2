// The life-cycle as RapidCheck's state commands: its model is ours, the system under test a player
// of sequences.
#include "rapidcheck/state.h"
#include <algorithm>

#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/source.h"
#include "props/cases/shrink/rapid.h"
#include "props/cases/shrink/simpler_sequences.h"
#include "props/sequences/player.h"
#include "props/sequences/sequence.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

using StateCommand = rc::state::Command<Model, Player>;

class Step : public StateCommand {
 public:
  explicit Step(const props::Command& command) : command_(command) {}

  void checkPreconditions(const Model& model) const override {
    RC_PRE(Model(model).take(command_).has_value());
  }
  void apply(Model& model) const override { model.take(command_); }
  void run(const Model&, Player& player) const override {
    const Verdict verdict = player.take(command_);
    if (!verdict.held) RC_FAIL(to_text(command_) + ": " + verdict.finding + player.calls());
  }
  void show(std::ostream& out) const override { out << to_text(command_); }

 private:
  props::Command command_;
};

using StepPointer = std::shared_ptr<const StateCommand>;

/// A command whose operands shrink to 0.
rc::Shrinkable<StepPointer> shrinkable_step(const props::Command& command) {
  return rc::shrinkable::lambda(
      [command]() -> StepPointer { return std::make_shared<const Step>(command); },
      [command] {
        return rc::seq::map(
            rc::seq::fromContainer(simpler_sequences({command})),
            [](const std::vector<props::Command>& simpler) { return shrinkable_step(simpler[0]); });
      });
}

using Allowed = bool (*)(const props::Command&);
bool is_any(const props::Command&) { return true; }
bool is_harmless(const props::Command& command) {
  return command.action == Action::describe ||
         (command.action == Action::synchronise && command.with[0] == kDefaultStream);
}

rc::Gen<StepPointer> any_step(Allowed allowed) {
  return [allowed](const rc::Random& random, int) {
    rc::Random drawn = random;
    SeededSource source(drawn.next());
    props::Command command = generate_command(source);
    while (!allowed(command)) command = generate_command(source);
    return shrinkable_step(command);
  };
}

/// Calls of any operator that the session has.
rc::Gen<Case> any_actor(const Session& session) {
  const std::vector<ref::Operator> all = session.library().operators();
  return [all](const rc::Random& random, int) {
    rc::Random drawn = random;
    SeededSource source(drawn.next());
    while (true) {
      const std::vector<CoveragePoint> among = coverage_points(all[source.below(all.size())]);
      if (auto c = generate_actor(source, among[source.below(among.size())]))
        return shrinkable_case(std::move(*c));
    }
  };
}

/// Sequences of commands on a session do what the model says; `seen` gets the transitions.
void follow_the_model(Session& session, std::set<std::string>* seen = nullptr,
                      Allowed allowed = is_any) {
  const Case c = *any_actor(session);
  RC_PRE(session.select(c.call.product));
  Player player(c, session);
  // RapidCheck shrinks a failure after this function has ended, and asks for the first state then.
  const auto world = std::make_shared<const World>(player.world());
  Model first(*world);
  for (int call = 0; call < static_cast<int>(world->calls.size()); ++call)
    first.set_workspace(
        call,
        session.get_workspace_size(world->calls[static_cast<std::size_t>(call)].call).workspace);
  const auto start = [world, first] { return first; };
  const auto commands =
      *rc::state::gen::commands(start, [allowed](const Model&) { return any_step(allowed); });
  rc::state::runAll(commands, start, player);
  const Verdict verdict = player.finish();
  if (!verdict.held) RC_FAIL(verdict.finding + player.calls());
  if (seen == nullptr) return;
  Model model = first;
  for (const StepPointer& command : commands) {
    // What it is, by its text: a command of RapidCheck does not tell.
    std::ostringstream text;
    command->show(text);
    for (const props::Command& one : parse_sequence(text.str(), 1))
      seen->insert(model.take(one)->transition);
  }
}

TEST(State, OurLibraryFollowsTheModel) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess *= 5;  // for the transitions that single commands rarely come to
  std::set<std::string> seen;
  const rc::detail::TestResult result =
      rc::detail::checkTestable([&] { follow_the_model(our_session(), &seen); },
                                rc::detail::TestMetadata{"life-cycle", "life-cycle"}, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << text.str();
  // Of those that single commands reach, whatever the seed.
  if (params.maxSuccess >= 500) {
    EXPECT_GE(seen.size(), 120U);
  }
  std::cout << text.str() << '\n' << seen.size() << " transitions of the model\n";
}

// Of the fake, which crashes where it is misused, harmless commands alone.
TEST(State, AFaultIsShrunkToTheSynchronisationAtTheEnd) {
  const Library library(std::vector<std::string>{FAKE_REFERENCE});
  Session fake(library);
  const auto follow = [&] { follow_the_model(fake, nullptr, is_harmless); };
  EXPECT_TRUE(rc::check("the fake", follow));
  const Fault fault("synchronise");
  const rc::detail::TestResult result = rc::detail::checkTestable(follow);
  ASSERT_TRUE(result.is<rc::detail::FailureResult>());
  const auto& failure = result.get<rc::detail::FailureResult>();
  ASSERT_EQ(failure.counterExample.size(), 2U);  // the call, and the commands
  const std::string& commands = failure.counterExample[1].second;
  EXPECT_EQ(std::count(commands.begin(), commands.end(), '\n'), 0) << commands;
  EXPECT_PRED2(contains, failure.description, "returned 507035 instead of 0");
}

}  // namespace
}  // namespace gradproof::props
