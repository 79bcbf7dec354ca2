// Performs a sequence on a library, command by command.
#include <algorithm>
#include <chrono>
#include <thread>

#include "acl/acl.h"
#include "props/cases/counted.h"
#include "props/cases/memory_layout.h"
#include "props/sequences/player.h"
#include "props/sequences/sequence.h"
#include "props/subject/invoke.h"
#include "props/subject/step.h"
#include "ref/element.h"

namespace gradproof::props {
namespace {

/// Longer than any of these calls takes on the busiest machine.
constexpr std::int32_t kAmpleTime = 60'000;  // ms
/// Less than a worker is given for a check (--timeout), so that a stream that never ends is a
/// finding.
constexpr auto kPatience = std::chrono::seconds(10);
constexpr std::uint64_t kUntouched = 0x5EA1ED0FF1CE5EA1;

}  // namespace

Player::Player(const Case& c, Session& session, profiles::Use* use)
    : session_(session),
      api_(session.library().api()),
      world_(c, session.library().operators(), functions_of(api_, use)),
      model_(world_),
      stage_(world_, api_, use) {
  executors_[kUnknownExecutor] = reinterpret_cast<aclOpExecutor*>(never_handed_out);
  for (int i = kDefaultStream + 1; i < kStreams; ++i) streams_[i] = never_handed_out;
  if (api_.recent_error == nullptr) return;
  // A message that was taken, in a fresh process too: sequences have to reproduce alone.
  api_.destroy_tensor(nullptr);
  api_.recent_error();
}

Player::~Player() {
  if (ended_) return;
  // Something was violated: memory must not go before the work on it is done.
  const Within step(Step::synchronise);
  for (const Command& c : model_.epilogue()) {
    std::optional<bool> answer;
    std::string text;
    perform(c, answer, text);
  }
}

std::int32_t Player::describe(const Command& c) {
  Descriptors& d = descriptors_[c.with[0]];
  d = {};
  const int call = c.with[1];
  const ref::Call& described = world_.calls[call].call;
  const Bindings& bindings = model_.bindings_of_descriptors(c.with[0]);
  for (std::size_t slot = 0; slot < described.tensors.size(); ++slot) {
    d.tensors.push_back(
        create_tensor(api_, described.tensors[slot],
                      stage_.address(call, static_cast<int>(slot), bindings[slot])));
    if (d.tensors.back() == nullptr) found("aclCreateTensor returned a null pointer");
  }
  for (const ref::IntArray& a : described.arrays) {
    d.arrays.push_back(api_.create_int_array(a.values.data(), a.values.size()));
    if (d.arrays.back() == nullptr) found("aclCreateIntArray returned a null pointer");
  }
  return 0;
}

std::int32_t Player::forget(Descriptors& d) {
  // Null descriptors were never made, so there is one null pointer for all.
  if (d.tensors.empty()) return api_.destroy_tensor(nullptr);
  std::int32_t status = api_.destroy_tensor(d.tensors.front());
  const auto same = [&](std::int32_t other) {
    if (other != status)
      found("destroying the descriptors of one call returned different statuses");
  };
  for (std::size_t i = 1; i < d.tensors.size(); ++i) same(api_.destroy_tensor(d.tensors[i]));
  for (const aclIntArray* a : d.arrays) same(api_.destroy_int_array(a));
  return status;
}

std::int32_t Player::plan(const Command& c) {
  Descriptors& d = descriptors_[c.with[1]];
  const auto manner = static_cast<PlanManner>(c.with[2]);
  ref::Call call = world_.calls[model_.call_of_descriptors(c.with[1])].call;
  call.null_workspace_size = manner == PlanManner::null_size;
  call.null_executor = manner == PlanManner::null_executor;
  d.tensors.resize(call.tensors.size());  // null ones, if they were never made
  d.arrays.resize(call.arrays.size());
  std::uint64_t size = kUntouched;
  auto* const before = reinterpret_cast<aclOpExecutor*>(never_handed_out);
  aclOpExecutor* executor = before;
  const Within step(Step::phase1);
  const std::int32_t status = invoke_phase1(session_.library().entry(call.op).get_workspace_size,
                                            call, d.tensors, d.arrays, &size, &executor);
  if (status != 0) {
    if (size != kUntouched || executor != before) found("a refused phase 1 changed its outputs");
    return status;
  }
  const int number = model_.call_of_descriptors(c.with[1]);
  if (executor == before || executor == nullptr || size == kUntouched) {
    found("phase 1 succeeded without an executor or a workspace size");
    return status;
  }
  if (model_.workspace(number).value_or(size) != size)
    found("phase 1 requires " + counted(size, "byte") + ", but required " +
          std::to_string(*model_.workspace(number)) + " before");
  model_.set_workspace(number, size);
  executors_[c.with[0]] = executor;
  call_of_[c.with[0]] = number;
  return status;
}

std::int32_t Player::address(const Command& c) {
  aclOpExecutor* const executor = executors_[c.with[0]];
  const Descriptors& d = descriptors_[c.with[1]];
  const auto counting = static_cast<Counting>(c.with[2]);
  const int call = call_of_[c.with[0]];
  const int slot = model_.slot_of(call, counting, c.with[3]);
  aclTensor* tensor = nullptr;
  if (!d.tensors.empty())
    tensor = d.tensors[slot < 0 || slot >= static_cast<int>(d.tensors.size()) ? 0 : slot];
  const bool written =
      slot >= 0 && access_of(world_.calls[call].call.op, slot) == ref::Access::written;
  const int target = written && c.with[4] != kNullTarget ? c.with[4] % kPlaces : c.with[4];
  void* const data =
      slot < 0 ? nullptr : stage_.address(call, slot, static_cast<std::uint8_t>(target));
  switch (counting) {
    case Counting::any: return api_.set_tensor_address(executor, c.with[3], tensor, data);
    case Counting::input: return api_.set_input_address(executor, c.with[3], tensor, data);
    case Counting::output: break;
  }
  return api_.set_output_address(executor, c.with[3], tensor, data);
}

std::int32_t Player::run(const Command& c) {
  const auto manner = static_cast<RunManner>(c.with[2]);
  const int call = call_of_[c.with[0]];
  const int entry = manner == RunManner::foreign ? 1 - call : call;
  std::uint64_t size = model_.workspace(call).value_or(0);
  void* workspace = stage_.workspace(c.with[1], call, size);
  if (manner == RunManner::null_workspace) workspace = nullptr;
  if (manner == RunManner::small_workspace) --size;
  if (manner == RunManner::inside) workspace = first_byte(c.with[0]);
  if (manner == RunManner::roomy) size += 64;  // claimed, and not there: nobody asked for it
  const Within step(Step::phase2);
  return invoke_phase2(session_.library().entry(world_.calls[entry].call.op).run, workspace, size,
                       executors_[c.with[0]], streams_[c.with[1]]);
}

void* Player::first_byte(int executor) {
  const int call = model_.call_of_executor(executor), slot = model_.slot_in_memory(executor);
  void* const data = stage_.address(call, slot, model_.binding_of_executor(executor, slot));
  const ref::Tensor& tensor = world_.calls[call].call.tensors[slot];
  return static_cast<std::byte*>(data) + tensor.offset * ref::dtype_size(tensor.dtype);
}

std::int32_t Player::poll(aclrtStream stream, std::optional<bool>& done) {
  const Within step(Step::synchronise);
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    const std::int32_t code = api_.stream_query(stream, &status);
    done = status == ACL_STREAM_STATUS_COMPLETE;
    if (code != 0 || *done || std::chrono::steady_clock::now() > give_up) return code;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

std::int32_t Player::restart(Restart manner) {
  if (manner == Restart::initialise_again) return session_.call_init();
  const Within step(Step::finalise);
  const std::int32_t status = api_.finalize();
  if (manner == Restart::finalise_twice) {
    if (const std::int32_t second = api_.finalize(); second != ACL_ERROR_REPEAT_FINALIZE) {
      found("a second aclFinalize returned " + std::to_string(second) + " instead of " +
            std::to_string(ACL_ERROR_REPEAT_FINALIZE));
    }
  }
  if (const std::int32_t again = session_.call_init(); again != 0)
    found("aclInit after aclFinalize returned " + std::to_string(again));
  return status;
}

std::int32_t Player::perform(const Command& c, std::optional<bool>& answer, std::string& text) {
  switch (c.action) {
    case Action::describe: return describe(c);
    case Action::forget: return forget(descriptors_[c.with[0]]);
    case Action::point: {
      const Descriptors& d = descriptors_[c.with[0]];
      const int call = model_.call_of_descriptors(c.with[0]);
      const Bindings& bindings = model_.bindings_of_descriptors(c.with[0]);
      const std::uint8_t bound = bindings.empty() ? 0 : bindings[c.with[1]];
      return api_.set_raw_address(d.tensors.empty() ? nullptr : d.tensors[c.with[1]],
                                  stage_.address(call, c.with[1], bound));
    }
    case Action::plan: return plan(c);
    case Action::repeat: return api_.set_repeatable(executors_[c.with[0]]);
    case Action::address: return address(c);
    case Action::run: return run(c);
    case Action::discard: return api_.destroy_executor(executors_[c.with[0]]);
    case Action::create_stream: return api_.create_stream(&streams_[c.with[0]]);
    case Action::destroy_stream: return api_.destroy_stream(streams_[c.with[0]]);
    case Action::synchronise: {
      const Within step(Step::synchronise);
      return api_.synchronize_stream(streams_[c.with[0]]);
    }
    case Action::synchronise_for: {
      const Within step(Step::synchronise);
      return api_.synchronize_stream_with_timeout(streams_[c.with[0]], kAmpleTime);
    }
    case Action::query_stream: {
      aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
      const std::int32_t code = api_.stream_query(streams_[c.with[0]], &status);
      answer = status == ACL_STREAM_STATUS_COMPLETE;
      return code;
    }
    case Action::create_event: return api_.create_event(&events_[c.with[0]]);
    case Action::destroy_event: return api_.destroy_event(events_[c.with[0]]);
    case Action::record: return api_.record_event(events_[c.with[0]], streams_[c.with[1]]);
    case Action::wait: return api_.stream_wait_event(streams_[c.with[0]], events_[c.with[1]]);
    case Action::await: {
      const Within step(Step::synchronise);
      return api_.synchronize_event(events_[c.with[0]]);
    }
    case Action::query_event: {
      aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
      const std::int32_t code = api_.query_event_status(events_[c.with[0]], &status);
      answer = status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
      return code;
    }
    case Action::fill: {
      const Stage::Bytes output = stage_.output(c.with[1], c.with[2]);
      return api_.memset_async(output.data, output.size, c.with[3], output.size,
                               streams_[c.with[0]]);
    }
    case Action::delay:
      return api_.memset_async(stage_.idle_memory(c.with[0]), Stage::kIdleBytes, 0,
                               Stage::kIdleBytes, streams_[c.with[0]]);
    case Action::synchronise_device: {
      const Within step(Step::synchronise);
      return api_.synchronize_device();
    }
    case Action::reset_device: {
      const Within step(Step::finalise);
      return api_.reset_device(0);
    }
    case Action::restart: return restart(static_cast<Restart>(c.with[0]));
    case Action::set_device: return api_.set_device(0);
    case Action::poll: return poll(streams_[c.with[0]], answer);
    case Action::message: break;
  }
  const char* const message = api_.recent_error();
  answer = message != nullptr && *message != '\0';
  text = *answer ? message : "";
  return 0;
}

Verdict Player::take(const Command& command) {
  const std::optional<Expected> expected = model_.take(command);
  if (!expected) {
    ++left_out_;
    return {};
  }
  std::optional<bool> answer;
  std::string text;
  const std::int32_t status = perform(command, answer, text);
  const std::string kind = "sequence " + std::string(name(command.action));
  if (status != expected->status) {
    const std::string what = returned_instead(status, expected->status);
    Verdict verdict = Verdict::violated(kind, what + " (" + expected->transition + ")");
    // Any function that waits reports a failure on a stream. A valid call may be refused for what
    // only its operator does.
    if (expected->status == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION)
      verdict.symptom = what;
    else if (expected->status != 0)
      verdict.symptom = kind + " " + verdict.finding;
    return verdict;
  }
  if (!trouble_.empty()) return Verdict::violated(kind, trouble_);
  if (expected->answer && answer != expected->answer) {
    const bool message = command.action == Action::message;
    return Verdict::violated(
        kind, std::string("reports ") +
                  (message ? (*answer ? "a message although nothing failed: " + text
                                      : "no message although a call failed")
                           : (*answer ? "work as done that is not" : "work as not done that is")) +
                  " (" + expected->transition + ")");
  }
  if (text.find(expected->names) == std::string::npos) {
    return Verdict::violated(kind, "the message of a failure does not name " +
                                       std::string(expected->names) + ": " + text);
  }
  return check_outputs();
}

Verdict Player::check_outputs() {
  for (int call = 0; call < static_cast<int>(world_.calls.size()); ++call) {
    const ref::Call& c = world_.calls[call].call;
    for (int slot = 0; slot < static_cast<int>(c.tensors.size()); ++slot) {
      if (access_of(c.op, slot) != ref::Access::written) continue;
      for (int place = 0; place < kPlaces; ++place) {
        const std::optional<Contents> contents = model_.settled(call, place, slot);
        Contents& before = checked_[{call, place, slot}];
        if (!contents || (*contents == before && !ended_)) continue;
        const Verdict verdict = stage_.check(call, place, slot, *contents);
        if (!verdict.held) return verdict;
        worst_ = std::max(worst_, verdict.worst_fraction);
        before = *contents;
      }
    }
  }
  return {};
}

std::string Player::calls() const {
  if (world_.calls.size() < 2) return "";
  const Case &own = world_.calls[0], &other = world_.calls[1];
  return "; c=0 is " + std::string(ref::signature(own.call.op).api) + ", c=1 is " +
         std::string(ref::signature(other.call.op).api) + ": " + to_text(other);
}

Verdict Player::finish() {
  for (const Command& command : model_.epilogue()) {
    Verdict verdict = take(command);
    if (verdict.held) continue;
    verdict.finding = "at the end, " + to_text(command) + ": " + verdict.finding;
    return verdict;
  }
  ended_ = true;
  Verdict verdict = check_outputs();
  if (verdict.held) verdict = stage_.check_surroundings();
  if (!verdict.held) verdict.finding = "at the end: " + verdict.finding;
  verdict.worst_fraction = std::max(verdict.worst_fraction, worst_);
  return verdict;
}

namespace {

Verdict play(Player& player, std::span<const Command> sequence) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    Verdict verdict = player.take(sequence[i]);
    if (verdict.held) continue;
    verdict.finding =
        "command " + std::to_string(i + 1) + ", " + to_text(sequence[i]) + ": " + verdict.finding;
    return verdict;
  }
  return player.finish();
}

}  // namespace

Verdict run_sequence(const Case& c, std::span<const Command> sequence, Session& session,
                     profiles::Use* use, int* left_out) {
  try {
    Player player(c, session, use);
    Verdict verdict = play(player, sequence.first(std::min(sequence.size(), kLongestSequence)));
    if (left_out != nullptr) *left_out = player.left_out();
    if (!verdict.held) verdict.finding += player.calls();
    return verdict;
  } catch (const SubjectFailure& failure) {
    return Verdict::violated("runtime", failure.what());
  }
}

}  // namespace gradproof::props
