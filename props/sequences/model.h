// What the contract says about a sequence: a model of handles, streams, events, errors and outputs.
//
// Time is kept as in a distributed system: every stream and the host have a clock that counts the
// work of each stream known to be done before. Waits and synchronisations join clocks, so the model
// knows what must have happened without ever looking at a thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/case.h"
#include "props/cases/command.h"
#include "props/sequences/functions.h"

namespace gradproof::props {

/// The calls of a sequence.
struct World {
  std::vector<Case> calls;  ///< the case's own; then that of another operator, if there is one
  Functions functions = 0;

  /// `operators` are those that the library has.
  World(const Case& c, std::span<const ref::Operator> operators, Functions functions);
  /// The case that fills input set `set` of a call.
  Case with_inputs(int call, int set) const;
  /// The slot of INT32 indices that are read, in a call that has some; else -1: only these calls
  /// can fail on their stream.
  int failing_slot(int call) const;
};

/// Input set or place that a tensor's address is that of; kNullTarget for null.
using Bindings = std::vector<std::uint8_t>;

/// What an output tensor in one place holds.
struct Contents {
  enum class Kind : std::uint8_t { bytes, result, unspecified };
  Kind kind = Kind::bytes;
  std::optional<std::uint8_t> byte;  ///< that it was filled with last; nothing: the first poison
  Bindings inputs;                   ///< of a result: what was read
  std::uint64_t number = 0;          ///< of all writes of the sequence; 0: none yet

  friend bool operator==(const Contents&, const Contents&) = default;
};

struct Expected {
  std::int32_t status = 0;
  /// Of queries and `message`: what has to be reported; nothing if both answers are right.
  std::optional<bool> answer;
  std::string_view names;  ///< what the message has to contain
  std::string transition;  ///< "executor consumed: run"
};

class Model {
 public:
  explicit Model(const World& world);

  /// What the library must return, after which the model is in the state that follows. Nothing if
  /// the command is not to be executed: it lacks a function, would lose a handle, or what it does
  /// has no meaning (two streams write one place at once).
  std::optional<Expected> take(const Command& command);

  /// What phase 1 asked for; until then no command about too small workspaces is taken.
  void set_workspace(int call, std::uint64_t bytes) { workspace_[call] = bytes; }
  std::optional<std::uint64_t> workspace(int call) const { return workspace_[call]; }

  /// Contents of an output if nothing can change it until the next command; else nothing.
  std::optional<Contents> settled(int call, int place, int slot) const;

  /// The call that the handle belongs to, and where its tensors lie. Of a live descriptor set or
  /// executor.
  int call_of_descriptors(int set) const { return descriptors_[set].call; }
  int call_of_executor(int executor) const { return executors_[executor].call; }
  const Bindings& bindings_of_descriptors(int set) const { return descriptors_[set].bindings; }
  /// The slot that an operand of `address` or `point` means; -1 if there is none.
  int slot_of(int call, Counting counting, int tensor) const;
  /// A slot of a live executor whose data is in memory that phase 2 uses; -1 if there is none.
  int slot_in_memory(int executor) const;
  std::uint8_t binding_of_executor(int executor, int slot) const {
    return executors_[executor].bindings[slot];
  }

  /// What is alive, as the commands that end it, and synchronise before.
  std::vector<Command> epilogue() const;

 private:
  enum class Life : std::uint8_t { none, live, destroyed };
  using Clock = std::array<std::uint32_t, kStreams>;

  struct Descriptors {
    Life life = Life::none;
    int call = 0;
    Bindings bindings;
    Clock clock{};  ///< of the work that was enqueued from them
  };
  struct Executor {
    enum class State : std::uint8_t { none, ready, repeatable, consumed, destroyed, unknown };
    State state = State::none;
    int call = 0;
    Bindings bindings;
    int descriptors = 0;  ///< the set that it was planned from
    bool live() const { return state == State::ready || state == State::repeatable; }
  };
  struct Stream {
    Life life = Life::none;
    Clock clock{};              ///< of the work enqueued last
    std::uint32_t emptied = 0;  ///< its own count when the host last waited for the stream itself
    int failed = -1;            ///< the call whose failure the next synchronisation reports
  };
  struct Event {
    Life life = Life::none;
    bool recorded = false;
    Clock clock{};
  };
  struct Output {
    int stream = 0;
    std::uint32_t number = 0;  ///< of the work on that stream that wrote it last
    Contents contents;
  };

  /// Refusals too, whether the library promises them or not.
  std::optional<Expected> take_any(const Command& c);
  std::optional<Expected> take_descriptors(const Command& c);
  std::optional<Expected> take_executor(const Command& c);
  std::optional<Expected> take_stream(const Command& c);
  std::optional<Expected> take_event(const Command& c);
  std::optional<Expected> take_device(const Command& c);
  std::optional<Expected> plan(const Command& c);
  std::optional<Expected> address(const Command& c);
  std::optional<Expected> run(const Command& c);
  std::optional<Expected> fill(const Command& c);
  std::optional<Expected> synchronise(int stream, const std::string& verb);

  bool can(Function f) const { return has(world_.functions, f); }
  ref::Access access(int call, int slot) const;
  bool empty(int call, int slot) const;
  /// Whether executors may still point to the descriptors: one is live, or work is not known done.
  bool pointed_to(int set) const;
  bool dead(int stream) const { return streams_[stream].life != Life::live; }
  std::string state_of(int stream) const;
  std::string state_of_event(int event) const;
  std::string_view state_of_executor(int executor) const;
  /// Whether the next work of the stream comes after the work that wrote the output last.
  bool ordered(const Output& output, int stream) const;
  void enqueue(int stream);
  void write(Output& output, int stream, Contents contents);
  void join_host(const Clock& clock);
  /// The host waits for everything, and all errors are reported.
  std::int32_t finish_all();
  Output& output(int call, int place, int slot) { return outputs_[call][place][slot]; }

  const World& world_;
  std::array<std::optional<std::uint64_t>, kCalls> workspace_;
  std::array<Descriptors, kDescriptorSets> descriptors_;
  std::array<Executor, kExecutors> executors_;
  std::array<Stream, kStreams> streams_;
  std::array<Event, kEvents> events_;
  std::array<std::array<std::vector<Output>, kPlaces>, kCalls> outputs_;
  Clock host_{};
  int references_ = 1;  ///< aclrtSetDevice without aclrtResetDevice; the session has one
  std::uint64_t writes_ = 0;
  bool message_ = false;            ///< a call failed since the last message
  std::string_view message_names_;  ///< what that message has to contain
};

/// The transitions of a sequence that the model takes, commands that are not executed left out.
std::vector<std::string> transitions(const World& world, std::span<const Command> sequence);
/// Every transition that sequences over that world can have and a campaign has to see.
std::vector<std::string> required_transitions(const World& world);

}  // namespace gradproof::props
