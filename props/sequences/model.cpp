// The model's streams, events and device; queries.
#include "props/sequences/model.h"

#include <algorithm>

#include "acl/acl.h"
#include "props/cases/memory_layout.h"
#include "props/cases/overlap.h"
#include "props/cases/traits.h"
#include "ref/rules.h"

namespace gradproof::props {
namespace {

/// A command that has a call refused although it does what it should.
bool finalises_twice(const Command& c) {
  return c.action == Action::restart &&
         c.with[0] == static_cast<std::uint8_t>(Restart::finalise_twice);
}

}  // namespace

Model::Model(const World& world) : world_(world) {
  streams_[kDefaultStream].life = Life::live;
  executors_[kUnknownExecutor].state = Executor::State::unknown;
  for (std::size_t call = 0; call < world.calls.size(); ++call) {
    for (auto& place : outputs_[call]) place.resize(world.calls[call].call.tensors.size());
  }
}

ref::Access Model::access(int call, int slot) const {
  return access_of(world_.calls[call].call.op, slot);
}

bool Model::empty(int call, int slot) const {
  return element_count(world_.calls[call].call.tensors[slot]) == 0;
}

std::string Model::state_of(int stream) const {
  const Stream& s = streams_[stream];
  if (s.life == Life::none) return "no stream";
  if (s.life == Life::destroyed) return "destroyed stream";
  return stream == kDefaultStream ? "default stream" : "stream";
}

std::string Model::state_of_event(int event) const {
  const Event& e = events_[event];
  if (e.life == Life::none) return "null event";
  if (e.life == Life::destroyed) return "destroyed event";
  return e.recorded ? "recorded event" : "fresh event";
}

bool Model::ordered(const Output& output, int stream) const {
  const auto of = static_cast<std::size_t>(output.stream);
  return std::max(streams_[stream].clock[of], host_[of]) >= output.number;
}

void Model::enqueue(int stream) {
  Clock& clock = streams_[stream].clock;
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], host_[i]);
  ++clock[static_cast<std::size_t>(stream)];
}

void Model::write(Output& output, int stream, Contents contents) {
  output.stream = stream;
  output.number = streams_[stream].clock[static_cast<std::size_t>(stream)];
  output.contents = std::move(contents);
  output.contents.number = ++writes_;
}

void Model::join_host(const Clock& clock) {
  for (std::size_t i = 0; i < clock.size(); ++i) host_[i] = std::max(host_[i], clock[i]);
}

std::int32_t Model::finish_all() {
  int failures = 0;
  for (int i = 0; i < kStreams; ++i) {
    Stream& s = streams_[i];
    join_host(s.clock);
    s.emptied = s.clock[static_cast<std::size_t>(i)];
    if (s.failed < 0) continue;
    // With several errors the answer is one of them.
    message_names_ =
        failures++ == 0 ? ref::signature(world_.calls[s.failed].call.op).api : std::string_view();
    s.failed = -1;
  }
  return failures == 0 ? ACL_SUCCESS : ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;
}

std::optional<Expected> Model::take(const Command& command) {
  if (!can(Function::refusals)) {
    Model ahead(*this);
    const std::optional<Expected> expected = ahead.take_any(command);
    // A bad index is data, and no wrong use of a handle.
    if (!expected ||
        (expected->status != 0 && expected->status != ACL_ERROR_RT_VECTOR_CORE_EXCEPTION))
      return std::nullopt;
  }
  return take_any(command);
}

std::optional<Expected> Model::take_any(const Command& command) {
  std::optional<Expected> expected;
  const std::string_view names_before = message_names_;
  if (command.action != Action::message) message_names_ = {};
  switch (command.action) {
    case Action::describe:
    case Action::forget:
    case Action::point: expected = take_descriptors(command); break;
    case Action::plan:
    case Action::repeat:
    case Action::address:
    case Action::run:
    case Action::discard: expected = take_executor(command); break;
    case Action::create_stream:
    case Action::destroy_stream:
    case Action::synchronise:
    case Action::synchronise_for:
    case Action::query_stream:
    case Action::fill:
    case Action::delay:
    case Action::poll: expected = take_stream(command); break;
    case Action::create_event:
    case Action::destroy_event:
    case Action::record:
    case Action::wait:
    case Action::await:
    case Action::query_event:
      expected = can(Function::events) ? take_event(command) : std::nullopt;
      break;
    case Action::synchronise_device:
    case Action::reset_device:
    case Action::restart:
    case Action::message:
    case Action::set_device: expected = take_device(command); break;
  }
  const bool failed = expected && (expected->status != 0 || finalises_twice(command));
  message_ = message_ || failed;
  if (command.action != Action::message && !failed) message_names_ = names_before;
  return expected;
}

std::optional<Expected> Model::take_stream(const Command& c) {
  const int stream = c.with[0];
  Stream& s = streams_[stream];
  const auto own = static_cast<std::size_t>(stream);
  Expected e{dead(stream) ? ACL_ERROR_INVALID_RESOURCE_HANDLE : ACL_SUCCESS, {}, {}, {}};
  switch (c.action) {
    case Action::create_stream:
      if (s.life == Life::live) return std::nullopt;
      e = {ACL_SUCCESS, {}, {}, state_of(stream) + ": create"};
      s.life = Life::live;
      s.emptied = s.clock[own];
      return e;
    case Action::destroy_stream:
      if (stream == kDefaultStream)
        return Expected{ACL_ERROR_INVALID_PARAM, {}, {}, "default stream: destroy"};
      if (!dead(stream)) {
        e = *synchronise(stream, "destroy");
        s.life = Life::destroyed;
        return e;
      }
      e.transition = state_of(stream) + ": destroy";
      return e;
    case Action::synchronise: return synchronise(stream, "synchronise");
    case Action::synchronise_for:
      if (!can(Function::synchronise_with_timeout)) return std::nullopt;
      return synchronise(stream, "synchronise for a time");
    case Action::query_stream:
      if (!can(Function::stream_query)) return std::nullopt;
      e.transition = state_of(stream) + ": query";
      // An event tells that the work before it is done; that the stream has noticed, only the
      // stream.
      if (!dead(stream)) {
        const bool known = s.emptied == s.clock[own];
        e.transition += known ? " when done" : " at work";
        if (known) e.answer = true;
      }
      return e;
    case Action::poll:
      if (!can(Function::polling)) return std::nullopt;
      e.transition = state_of(stream) + ": query until done";
      if (dead(stream)) return e;
      e.answer = true;
      join_host(s.clock);
      s.emptied = s.clock[own];
      return e;
    case Action::fill: return can(Function::memset_async) ? fill(c) : std::nullopt;
    default:
      if (!can(Function::memset_async)) return std::nullopt;
      e.transition = state_of(stream) + ": delay";
      if (!dead(stream)) enqueue(stream);
      return e;
  }
}

std::optional<Expected> Model::synchronise(int stream, const std::string& verb) {
  Stream& s = streams_[stream];
  Expected e{ACL_SUCCESS, {}, {}, state_of(stream) + ": " + verb};
  if (dead(stream)) {
    e.status = ACL_ERROR_INVALID_RESOURCE_HANDLE;
    return e;
  }
  join_host(s.clock);
  s.emptied = s.clock[static_cast<std::size_t>(stream)];
  if (s.failed >= 0) {
    e.status = ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;
    e.transition += " after a failure";
    message_names_ = ref::signature(world_.calls[s.failed].call.op).api;
    s.failed = -1;
  }
  return e;
}

std::optional<Expected> Model::fill(const Command& c) {
  const int stream = c.with[0], call = c.with[1], place = c.with[2];
  if (call >= static_cast<int>(world_.calls.size())) return std::nullopt;
  const int tensors = static_cast<int>(world_.calls[call].call.tensors.size());
  int slot = 0;
  while (slot < tensors && (access(call, slot) != ref::Access::written || empty(call, slot)))
    ++slot;
  if (slot == tensors) return std::nullopt;
  Expected e{ACL_SUCCESS, {}, {}, state_of(stream) + ": fill an output"};
  if (dead(stream)) {
    e.status = ACL_ERROR_INVALID_RESOURCE_HANDLE;
    return e;
  }
  if (!ordered(output(call, place, slot), stream)) return std::nullopt;
  enqueue(stream);
  write(output(call, place, slot), stream, {Contents::Kind::bytes, c.with[3], {}, 0});
  return e;
}

std::optional<Expected> Model::take_event(const Command& c) {
  const bool stream_first = c.action == Action::wait;
  const int event = c.with[stream_first ? 1 : 0];
  Event& v = events_[event];
  Expected e{ACL_SUCCESS, {}, {}, state_of_event(event) + ": "};
  if (c.action == Action::create_event) {
    if (v.life == Life::live) return std::nullopt;
    e.transition += "create";
    v = {Life::live, false, {}};
    return e;
  }
  if (v.life != Life::live) {
    e.status = v.life == Life::none ? ACL_ERROR_INVALID_PARAM : ACL_ERROR_INVALID_RESOURCE_HANDLE;
    e.transition += std::string(name(c.action));
    return e;
  }
  const bool unrecorded = !v.recorded;
  switch (c.action) {
    case Action::destroy_event:
      e.transition += "destroy";
      v.life = Life::destroyed;
      return e;
    case Action::record:
    case Action::wait: {
      const int stream = c.with[stream_first ? 0 : 1];
      e.transition += std::string(name(c.action)) + " on " + state_of(stream);
      if (c.action == Action::wait && unrecorded) {
        e.status = ACL_ERROR_INVALID_PARAM;
        return e;
      }
      if (dead(stream)) {
        e.status = ACL_ERROR_INVALID_RESOURCE_HANDLE;
        return e;
      }
      if (c.action == Action::wait) {
        Clock& clock = streams_[stream].clock;
        for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], v.clock[i]);
        enqueue(stream);
      } else {
        enqueue(stream);
        v.clock = streams_[stream].clock;
        v.recorded = true;
      }
      return e;
    }
    case Action::await:
      e.transition += "await";
      if (unrecorded)
        e.status = ACL_ERROR_INVALID_PARAM;
      else
        join_host(v.clock);
      return e;
    default: {
      bool reached = v.recorded;
      for (std::size_t i = 0; i < host_.size(); ++i) reached = reached && host_[i] >= v.clock[i];
      e.transition += "query";
      if (v.recorded) e.transition += reached ? " when reached" : " before that is known";
      if (unrecorded || reached) e.answer = reached;
      return e;
    }
  }
}

std::optional<Expected> Model::take_device(const Command& c) {
  Expected e{ACL_SUCCESS, {}, {}, {}};
  const bool failed =
      std::any_of(streams_.begin(), streams_.end(), [](const Stream& s) { return s.failed >= 0; });
  const std::string after = failed ? " after a failure" : "";
  switch (c.action) {
    case Action::synchronise_device:
      if (!can(Function::synchronise_device)) return std::nullopt;
      e.transition = "device: synchronise" + after;
      e.status = finish_all();
      return e;
    case Action::reset_device:
      if (!can(Function::reset_device)) return std::nullopt;
      if (references_ > 1) {
        --references_;
        e.transition = "device: reset that is not the last" + after;
        return e;
      }
      references_ = 0;
      e.transition = "device: reset" + after;
      e.status = finish_all();
      return e;
    case Action::set_device:
      if (!can(Function::counted_resets)) return std::nullopt;
      ++references_;
      e.transition = "device: set";
      return e;
    case Action::restart:
      if (!can(Function::restart)) return std::nullopt;
      if (c.with[0] == static_cast<std::uint8_t>(Restart::initialise_again)) {
        e.transition = "library: initialise again";
        e.status = ACL_ERROR_REPEAT_INITIALIZE;
        return e;
      }
      e.status = finish_all();
      references_ = 0;
      e.transition = "library: finalise" + after;
      if (finalises_twice(c)) {
        e.transition = "library: finalise twice";
        message_names_ = {};
      }
      return e;
    default:
      if (!can(Function::recent_error)) return std::nullopt;
      e.transition = message_ ? "message: take" : "message: none to take";
      e.answer = message_;
      e.names = message_names_;
      message_ = false;
      message_names_ = {};
      return e;
  }
}

std::optional<Contents> Model::settled(int call, int place, int slot) const {
  const Output& o = outputs_[call][place][slot];
  if (host_[static_cast<std::size_t>(o.stream)] < o.number) return std::nullopt;
  return o.contents;
}

std::vector<Command> Model::epilogue() const {
  std::vector<Command> commands;
  const auto add = [&](Action action, int operand) {
    commands.push_back({action, {static_cast<std::uint8_t>(operand)}});
  };
  if (can(Function::counted_resets)) {  // one reference is left, as there was at first
    if (references_ == 0) add(Action::set_device, 0);
    for (int i = references_; i > 1; --i) add(Action::reset_device, 0);
  }
  for (int i = 0; i < kStreams; ++i) {
    if (!dead(i)) add(Action::synchronise, i);
  }
  for (int i = 0; i < kExecutors; ++i) {
    if (executors_[i].live()) add(Action::discard, i);
  }
  for (int i = 0; i < kEvents; ++i) {
    if (events_[i].life == Life::live) add(Action::destroy_event, i);
  }
  for (int i = 0; i < kDescriptorSets; ++i) {
    if (descriptors_[i].life == Life::live) add(Action::forget, i);
  }
  for (int i = kDefaultStream + 1; i < kStreams; ++i) {
    if (!dead(i)) add(Action::destroy_stream, i);
  }
  return commands;
}

}  // namespace gradproof::props
