// One step of a sequence of runtime and executor calls, as plain data with a text form.
//
// A sequence acts on a fixed small world: two calls (the case's own and one of another operator),
// three sets of inputs for each (the last one with an index outside its plane, where the operator
// has indices), two places for outputs, and numbered handles that begin as null.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::props {

inline constexpr int kCalls = 2, kInputSets = 3, kPlaces = 2;
inline constexpr int kDescriptorSets = 2, kExecutors = 4, kStreams = 3, kEvents = 2;
/// The executor of this number is an address that the library never handed out.
inline constexpr int kUnknownExecutor = kExecutors - 1;
/// Stream 0 is the default stream.
inline constexpr int kDefaultStream = 0;
/// Where an operand says what an address becomes: an input set or a place, or this for null.
inline constexpr int kNullTarget = kInputSets;

enum class Action : std::uint8_t {
  describe,            ///< descriptors, call, input set, place: creates tensors and arrays
  forget,              ///< descriptors: destroys them
  point,               ///< descriptors, tensor, target: aclSetRawTensorAddr
  plan,                ///< executor, descriptors, PlanManner: phase 1
  repeat,              ///< executor: aclSetAclOpExecutorRepeatable
  address,             ///< executor, descriptors, Counting and tensor, target: aclSet…TensorAddr
  run,                 ///< executor, stream, RunManner: phase 2
  discard,             ///< executor: aclDestroyAclOpExecutor
  create_stream,       ///< stream
  destroy_stream,      ///< stream
  synchronise,         ///< stream
  synchronise_for,     ///< stream: aclrtSynchronizeStreamWithTimeout, with ample time
  query_stream,        ///< stream
  create_event,        ///< event
  destroy_event,       ///< event
  record,              ///< event, stream
  wait,                ///< stream, event: aclrtStreamWaitEvent
  await,               ///< event: aclrtSynchronizeEvent
  query_event,         ///< event
  fill,                ///< stream, call, place, byte: aclrtMemsetAsync on an output
  delay,               ///< stream: work that takes a millisecond and concerns nobody
  synchronise_device,  ///< aclrtSynchronizeDevice
  reset_device,        ///< aclrtResetDevice
  restart,             ///< Restart
  message,             ///< aclGetRecentErrMsg
  set_device,          ///< aclrtSetDevice: one more reset until the last
  poll,                ///< stream: aclrtStreamQuery until it tells that all is done
};
inline constexpr int kActions = static_cast<int>(Action::poll) + 1;

enum class PlanManner : std::uint8_t { right, null_size, null_executor };
/// inside: with a workspace in the data of the call.
enum class RunManner : std::uint8_t {
  right,
  roomy,
  null_workspace,
  small_workspace,
  foreign,
  inside
};
/// How a tensor is counted: among all of the call, its inputs, or its outputs.
enum class Counting : std::uint8_t { any, input, output };
enum class Restart : std::uint8_t { initialise_again, finalise, finalise_twice };

struct Command {
  static constexpr std::size_t kOperands = 5;
  Action action = Action::message;
  /// Operands in the action's order; those beyond its number are 0.
  std::array<std::uint8_t, kOperands> with{};

  friend bool operator==(const Command&, const Command&) = default;
};

/// More are not read, nor made by mistake.
inline constexpr std::size_t kLongestSequence = 256;

std::string_view name(Action action);
/// How many values each operand of the action has.
std::span<const std::uint8_t> operand_sizes(Action action);
/// Any bytes are some command: action and operands are taken modulo their numbers.
Command command_of(std::uint8_t action,
                   const std::array<std::uint8_t, Command::kOperands>& operands);

/// "plan(0,1,right);run(0,2,right);synchronise(2)".
std::string to_text(std::span<const Command> sequence);
std::string to_text(const Command& command);
/// Throws TextError; `column` is that of the text's first character.
std::vector<Command> parse_sequence(std::string_view text, std::size_t column);

}  // namespace gradproof::props
