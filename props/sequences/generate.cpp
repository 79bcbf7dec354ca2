// Random sequences, sequences that cover the model.
#include <algorithm>

#include "props/cases/data/data.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/describe/plain.h"
#include "props/cases/generate/draw.h"
#include "props/cases/generate/generator.h"
#include "props/cases/generate/source.h"
#include "props/cases/memory_layout.h"
#include "props/sequences/sequence.h"

namespace gradproof::props {
namespace {

/// How often an action comes up on its own.
struct Weighted {
  Action action;
  int weight;
};
constexpr Weighted kWeights[] = {
    {Action::describe, 6},      {Action::forget, 3},
    {Action::point, 2},         {Action::plan, 10},
    {Action::repeat, 5},        {Action::address, 8},
    {Action::run, 14},          {Action::discard, 3},
    {Action::create_stream, 5}, {Action::destroy_stream, 2},
    {Action::synchronise, 8},   {Action::synchronise_for, 3},
    {Action::query_stream, 3},  {Action::create_event, 4},
    {Action::destroy_event, 2}, {Action::record, 5},
    {Action::wait, 5},          {Action::await, 4},
    {Action::query_event, 4},   {Action::fill, 5},
    {Action::delay, 1},         {Action::synchronise_device, 1},
    {Action::reset_device, 1},  {Action::restart, 1},
    {Action::message, 3},       {Action::set_device, 1},
    {Action::poll, 2},
};

/// Orders of work that chance rarely meets and that faults hide in: they come first.
constexpr std::string_view kStage =
    "describe(0,0,0,0);plan(0,0,right);repeat(0);create_stream(1);create_stream(2);"
    "create_event(0);";
constexpr std::string_view kScenarios[] = {
    // A stream goes on where another ends.
    "delay(1);delay(1);delay(1);run(0,1,right);record(0,1);wait(2,0);fill(2,0,0,7);synchronise(2);"
    "synchronise(1)",
    // The host waits for an event, the first record or a later one.
    "delay(1);delay(1);delay(1);run(0,1,right);record(0,1);await(0)",
    "record(0,1);synchronise(1);delay(1);delay(1);delay(1);run(0,1,right);record(0,1);await(0)",
    // A workspace in the data; nobody synchronises; the reset that is not the last.
    "run(0,1,inside);delay(1);run(0,1,right);poll(1)",
    "describe(1,0,2,1);plan(1,1,right);set_device();run(1,1,right);reset_device();synchronise(1)"};

Command draw_command(Draw& draw) {
  std::uint64_t sum = 0;
  for (const Weighted& w : kWeights) sum += static_cast<std::uint64_t>(w.weight);
  std::uint64_t at = draw.below(sum);
  const Weighted* chosen = kWeights;
  while (at >= static_cast<std::uint64_t>(chosen->weight))
    at -= static_cast<std::uint64_t>((chosen++)->weight);
  Command command{chosen->action, {}};
  const auto sizes = operand_sizes(chosen->action);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    command.with[i] = static_cast<std::uint8_t>(draw.below(sizes[i]));
  // Proper use as often as all misuse together.
  const bool has_manner = chosen->action == Action::plan || chosen->action == Action::run;
  if (has_manner && draw.chance(1, 2)) command.with[2] = 0;
  return command;
}

class Writer {
 public:
  Writer(Source& source, const World& world) : draw_(source), model_(world) {}

  void start();
  void add_any();
  void add_scene();
  std::vector<Command> take() { return std::move(sequence_); }
  std::size_t size() const { return sequence_.size(); }

 private:
  using Operands = std::array<std::uint8_t, Command::kOperands>;

  /// False if the model does not take it.
  bool add(Action action, Operands with) {
    const Command command = command_of(static_cast<std::uint8_t>(action), with);
    if (!model_.take(command)) return false;
    sequence_.push_back(command);
    return true;
  }
  std::uint8_t below(int n) {
    return static_cast<std::uint8_t>(draw_.below(static_cast<std::uint64_t>(n)));
  }

  Draw draw_;
  Model model_;
  std::vector<Command> sequence_;
};

/// What most sequences need before anything else means something.
void Writer::start() {
  if (draw_.chance(1, 8)) return;
  add(Action::describe, {0, below(kCalls), below(2), below(kPlaces)});
  add(Action::plan, {0, 0});
  if (draw_.chance(3, 4)) add(Action::create_stream, {1});
  if (draw_.chance(1, 2)) add(Action::create_stream, {2});
  if (draw_.chance(1, 2)) add(Action::create_event, {0});
  if (draw_.chance(1, 2)) add(Action::repeat, {0});
  if (draw_.chance(1, 2)) {
    add(Action::describe, {1, below(kCalls), below(kInputSets), below(kPlaces)});
    add(Action::plan, {1, 1});
  }
}

void Writer::add_any() {
  for (int tries = 0; tries < 20; ++tries) {
    const Command command = draw_command(draw_);
    if (add(command.action, command.with)) return;
  }
}

/// A few commands in which the order of work shows: a stream that is held up, then something that
/// depends on what it has yet to do.
void Writer::add_scene() {
  const std::uint8_t first = below(kStreams), second = below(kStreams), event = below(kEvents);
  const std::uint8_t one = below(2), other = below(2);
  const auto finish = [&] { add(Action::synchronise, {second}); };
  switch (draw_.below(9)) {
    case 0:  // one stream goes on where another ends
      add(Action::delay, {first});
      add(Action::run, {one, first});
      add(Action::record, {event, first});
      add(Action::wait, {second, event});
      add(draw_.chance(1, 2) ? Action::run : Action::fill, {other, second, 0, below(255)});
      return finish();
    case 1:  // the host waits for an event
      add(Action::delay, {first});
      add(Action::run, {one, first});
      add(Action::record, {event, first});
      add(Action::await, {event});
      add(Action::query_event, {event});
      return;
    case 2:  // work in order on one stream
      add(Action::delay, {first});
      add(Action::fill, {first, below(kCalls), below(kPlaces), below(255)});
      add(Action::run, {one, first});
      add(Action::run, {other, first});
      add(Action::synchronise_for, {first});
      return;
    case 3:  // an executor on several places
      add(Action::repeat, {one});
      add(Action::delay, {first});
      add(Action::run, {one, first});
      add(Action::address, {one, one, 2, 0, below(kPlaces)});
      add(Action::address, {one, one, 1, 0, below(2)});
      add(Action::run, {one, first});
      add(Action::synchronise, {first});
      return;
    case 4:  // a failure on one stream, and work on another
      add(Action::describe, {1, below(kCalls), kInputSets - 1, below(kPlaces)});
      add(Action::plan, {2, 1});
      add(Action::run, {2, first});
      add(Action::run, {one, second});
      add(Action::synchronise, {second});
      add(Action::synchronise, {first});
      add(Action::message, {});
      add(Action::synchronise, {first});
      return;
    case 5:  // a failure that something else than its stream's synchronisation reports
      add(Action::forget, {1});
      add(Action::describe, {1, below(kCalls), kInputSets - 1, below(kPlaces)});
      add(Action::plan, {2, 1});
      add(Action::run, {2, first});
      add(draw_.pick({Action::restart, Action::reset_device, Action::synchronise_device,
                      Action::destroy_stream}),
          {draw_.chance(1, 2) ? first : std::uint8_t{1}});
      return;
    case 6:  // a failure that the last reset alone reports
      add(Action::set_device, {});
      add(Action::forget, {1});
      add(Action::describe, {1, below(kCalls), kInputSets - 1, below(kPlaces)});
      add(Action::plan, {2, 1});
      add(Action::run, {2, first});
      add(Action::reset_device, {});
      add(draw_.pick({Action::synchronise, Action::poll, Action::reset_device}), {first});
      return;
    case 7:  // two mistakes in one run
      if (draw_.chance(1, 2)) add(Action::repeat, {one});
      add(Action::address, {one, one, 0, 0, kNullTarget});
      add(Action::destroy_stream, {second});
      add(Action::run, {one, second});
      return;
    default:  // an event that is recorded anew
      add(Action::record, {event, first});
      add(Action::synchronise, {first});
      add(Action::query_event, {event});
      add(Action::query_stream, {first});
      add(Action::delay, {second});
      add(Action::record, {event, second});
      add(Action::query_event, {event});
      return finish();
  }
}

}  // namespace

Command generate_command(Source& source) {
  Draw draw(source);
  return draw_command(draw);
}

bool can_act(const Case& c) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;  // large tensors only cost time
  const auto shares = [](const ref::Tensor& t) { return t.shares >= 0; };
  return has_result(c) && runnable(c, kMostBytes) &&
         std::none_of(c.call.tensors.begin(), c.call.tensors.end(), shares);
}

std::optional<Case> generate_actor(Source& source, const CoveragePoint& point) {
  constexpr int kDraws = 20;
  for (int i = 0; i < kDraws; ++i) {
    Case c = generate_valid(source, point, {.max_elements = 64});
    c.misuse = Misuse::none;
    c.sequence.clear();
    const auto empty = [](const ref::Tensor& t) { return element_count(t) == 0; };
    if (can_act(c) && std::none_of(c.call.tensors.begin(), c.call.tensors.end(), empty)) return c;
  }
  return std::nullopt;
}

std::vector<Command> generate_sequence(Source& source, const World& world, std::size_t length) {
  Writer writer(source, world);
  Draw draw(source);
  writer.start();
  while (writer.size() < length) {
    const std::size_t before = writer.size();
    if (draw.chance(1, 8)) writer.add_scene();
    writer.add_any();
    if (writer.size() == before) break;  // nothing has a meaning any more
  }
  return writer.take();
}

std::vector<std::vector<Command>> covering_sequences(
    const World& world, std::uint64_t seed, std::set<std::string>* missing,
    std::span<const std::vector<Command>> tried_first) {
  constexpr int kDraws = 30000;  // 3000 left a rare transition out for one seed in a few
  constexpr std::size_t kLength = 40;
  const std::vector<std::string> required = required_transitions(world);
  std::set<std::string> left(required.begin(), required.end());
  SeededSource source(seed);
  std::vector<std::vector<Command>> sequences;
  for (const std::string_view scenario : kScenarios) {
    sequences.push_back(parse_sequence(std::string(kStage) + std::string(scenario), 1));
    for (const std::string& transition : transitions(world, sequences.back()))
      left.erase(transition);
  }
  const auto take_if_new = [&](std::vector<Command> sequence) {
    std::size_t erased = 0;
    for (const std::string& transition : transitions(world, sequence))
      erased += left.erase(transition);
    if (erased > 0) sequences.push_back(std::move(sequence));
  };
  for (const std::vector<Command>& sequence : tried_first) take_if_new(sequence);
  for (int i = 0; i < kDraws && !left.empty(); ++i)
    take_if_new(generate_sequence(source, world, kLength));
  if (missing != nullptr) *missing = std::move(left);
  return sequences;
}

}  // namespace gradproof::props
