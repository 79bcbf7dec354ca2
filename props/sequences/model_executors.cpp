// The model's descriptors and executors.
#include <algorithm>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "props/sequences/model.h"
#include "ref/rules.h"

namespace gradproof::props {

std::string_view Model::state_of_executor(int executor) const {
  switch (executors_[executor].state) {
    case Executor::State::none: return "null executor";
    case Executor::State::ready: return "executor";
    case Executor::State::repeatable: return "repeatable executor";
    case Executor::State::consumed: return "consumed executor";
    case Executor::State::destroyed: return "destroyed executor";
    case Executor::State::unknown: break;
  }
  return "unknown executor";
}

int Model::slot_of(int call, Counting counting, int tensor) const {
  const int count = static_cast<int>(world_.calls[call].call.tensors.size());
  for (int slot = 0; slot < count; ++slot) {
    const bool output = access(call, slot) == ref::Access::written;
    if (counting != Counting::any && output != (counting == Counting::output)) continue;
    if (tensor-- == 0) return slot;
  }
  return -1;
}

int Model::slot_in_memory(int executor) const {
  const Executor& x = executors_[executor];
  for (int slot = 0; slot < static_cast<int>(x.bindings.size()); ++slot) {
    if (x.bindings[slot] != kNullTarget && !empty(x.call, slot) &&
        access(x.call, slot) != ref::Access::described)
      return slot;
  }
  return -1;
}

namespace {

/// A target operand as the binding of a tensor that is written (there are fewer places than input
/// sets) or not.
std::uint8_t binding(int target, bool written) {
  return static_cast<std::uint8_t>(target == kNullTarget ? kNullTarget
                                   : written             ? target % kPlaces
                                                         : target);
}

}  // namespace

bool Model::pointed_to(int set) const {
  if (can(Function::early_destruction)) return false;
  const Clock& work = descriptors_[set].clock;
  for (std::size_t i = 0; i < host_.size(); ++i) {
    if (host_[i] < work[i]) return true;
  }
  return std::any_of(executors_.begin(), executors_.end(),
                     [&](const Executor& x) { return x.live() && x.descriptors == set; });
}

std::optional<Expected> Model::take_descriptors(const Command& c) {
  Descriptors& d = descriptors_[c.with[0]];
  Expected e{ACLNN_SUCCESS, {}, {}, {}};
  const std::string state = d.life == Life::none   ? "null descriptors: "
                            : d.life == Life::live ? "descriptors: "
                                                   : "destroyed descriptors: ";
  if (c.action == Action::describe) {
    const int call = c.with[1];
    if (d.life == Life::live || call >= static_cast<int>(world_.calls.size())) return std::nullopt;
    e.transition = state + "create";
    d.life = Life::live;
    d.clock = {};
    d.call = call;
    d.bindings.clear();
    for (std::size_t slot = 0; slot < world_.calls[call].call.tensors.size(); ++slot) {
      const bool written = access(call, static_cast<int>(slot)) == ref::Access::written;
      d.bindings.push_back(c.with[written ? 3 : 2]);
    }
    return e;
  }
  if (c.action == Action::point && !can(Function::set_raw_address)) return std::nullopt;
  e.transition = state + (c.action == Action::point ? "set an address" : "destroy");
  if (d.life != Life::live) {
    e.status = d.life == Life::none ? ACLNN_ERR_PARAM_NULLPTR : ACLNN_ERR_PARAM_INVALID;
    if (c.action == Action::point && slot_of(d.call, Counting::any, c.with[1]) < 0)
      return std::nullopt;
    return e;
  }
  if (pointed_to(c.with[0])) return std::nullopt;
  if (c.action == Action::forget) {
    d.life = Life::destroyed;
    return e;
  }
  const int slot = slot_of(d.call, Counting::any, c.with[1]);
  if (slot < 0) return std::nullopt;
  d.bindings[static_cast<std::size_t>(slot)] =
      binding(c.with[2], access(d.call, slot) == ref::Access::written);
  return e;
}

std::optional<Expected> Model::take_executor(const Command& c) {
  Executor& x = executors_[c.with[0]];
  const bool none = x.state == Executor::State::none;
  Expected e{ACLNN_SUCCESS, {}, {}, std::string(state_of_executor(c.with[0])) + ": "};
  switch (c.action) {
    case Action::plan: return plan(c);
    case Action::run: return run(c);
    case Action::address: return address(c);
    case Action::repeat:
      if (!can(Function::set_repeatable)) return std::nullopt;
      e.transition += "make repeatable";
      if (x.live()) x.state = Executor::State::repeatable;
      break;
    default:
      if (!can(Function::destroy_executor)) return std::nullopt;
      e.transition += "destroy";
      if (x.live()) {
        x.state = Executor::State::destroyed;
        return e;
      }
  }
  if (!x.live()) e.status = none ? ACLNN_ERR_INNER_NULLPTR : ACLNN_ERR_PARAM_INVALID;
  return e;
}

std::optional<Expected> Model::plan(const Command& c) {
  Executor& x = executors_[c.with[0]];
  const Descriptors& d = descriptors_[c.with[1]];
  const auto manner = static_cast<PlanManner>(c.with[2]);
  if (x.live() || c.with[0] == kUnknownExecutor) return std::nullopt;
  const bool null_output = manner != PlanManner::right;
  Expected e{ACLNN_SUCCESS, {}, {}, "plan"};
  e.transition += d.life == Life::none        ? " from null descriptors"
                  : d.life == Life::destroyed ? " from destroyed descriptors"
                                              : "";
  e.transition += manner == PlanManner::null_size       ? " with a null workspaceSize"
                  : manner == PlanManner::null_executor ? " with a null executor"
                                                        : "";
  if (d.life == Life::none || null_output) {
    e.status = ACLNN_ERR_PARAM_NULLPTR;
  } else if (d.life == Life::destroyed) {
    e.status = ACLNN_ERR_PARAM_INVALID;
  } else {
    x = {Executor::State::ready, d.call, d.bindings, c.with[1]};
  }
  return e;
}

std::optional<Expected> Model::address(const Command& c) {
  Executor& x = executors_[c.with[0]];
  const Descriptors& d = descriptors_[c.with[1]];
  const auto counting = static_cast<Counting>(c.with[2]);
  constexpr Function kNeeded[] = {Function::set_tensor_address, Function::set_input_address,
                                  Function::set_output_address};
  if (!can(kNeeded[c.with[2]])) return std::nullopt;
  Expected e{ACLNN_SUCCESS, {}, {}, std::string(state_of_executor(c.with[0])) + ": set "};
  e.transition += counting == Counting::any     ? "a tensor's address"
                  : counting == Counting::input ? "an input's address"
                                                : "an output's address";
  if (!x.live()) {
    e.status = x.state == Executor::State::none ? ACLNN_ERR_INNER_NULLPTR : ACLNN_ERR_PARAM_INVALID;
    return e;
  }
  const int slot = slot_of(x.call, counting, c.with[3]);
  if (slot < 0) {
    e.transition += " beyond the last";
    e.status = ACLNN_ERR_PARAM_INVALID;
  } else if (d.life == Life::none) {
    e.transition += " with a null descriptor";
    e.status = ACLNN_ERR_INNER_NULLPTR;
  } else if (d.life == Life::destroyed) {
    e.transition += " with a destroyed descriptor";
    e.status = ACLNN_ERR_PARAM_INVALID;
  } else if (d.call != x.call ||
             (!can(Function::early_destruction) && c.with[1] != x.descriptors)) {
    return std::nullopt;
  } else {
    const std::uint8_t bound = binding(c.with[4], access(x.call, slot) == ref::Access::written);
    if (bound == kNullTarget) e.transition += " to null";
    x.bindings[static_cast<std::size_t>(slot)] = bound;
    // The descriptor follows.
    descriptors_[c.with[1]].bindings[static_cast<std::size_t>(slot)] = bound;
  }
  return e;
}

std::optional<Expected> Model::run(const Command& c) {
  Executor& x = executors_[c.with[0]];
  const int stream = c.with[1];
  const auto manner = static_cast<RunManner>(c.with[2]);
  const bool foreign = manner == RunManner::foreign;
  const bool inside = manner == RunManner::inside;
  const bool short_of = manner == RunManner::null_workspace || manner == RunManner::small_workspace;
  if (foreign && world_.calls.size() < kCalls) return std::nullopt;
  Expected e{ACLNN_SUCCESS, {}, {}, std::string(state_of_executor(c.with[0])) + ": run"};
  if (foreign) e.transition += " as another operator's";
  if (!x.live()) {
    if (short_of || inside) return std::nullopt;
    e.status = x.state == Executor::State::none ? ACLNN_ERR_PARAM_NULLPTR : ACLNN_ERR_PARAM_INVALID;
    return e;
  }
  if ((short_of || inside) && workspace_[x.call].value_or(0) == 0) return std::nullopt;
  if (inside && slot_in_memory(c.with[0]) < 0) return std::nullopt;
  bool null_data = false;
  for (int slot = 0; slot < static_cast<int>(x.bindings.size()); ++slot) {
    null_data = null_data || (x.bindings[slot] == kNullTarget && !empty(x.call, slot) &&
                              access(x.call, slot) != ref::Access::described);
  }
  if (null_data) e.transition += " with null data";
  e.transition += " on " + state_of(stream);
  if (null_data || manner == RunManner::null_workspace) {
    e.status = ACLNN_ERR_PARAM_NULLPTR;
  } else if (manner == RunManner::small_workspace || foreign || inside) {
    e.status = ACLNN_ERR_PARAM_INVALID;
  } else if (dead(stream)) {
    e.status = ACLNN_ERR_RUNTIME_ERROR;
  }
  // What may come with or without a workspace is no transition of its own.
  if (short_of || inside) e.transition.clear();
  if (e.status != ACLNN_SUCCESS) return e;

  const int failing = world_.failing_slot(x.call);
  const bool fails = failing >= 0 && x.bindings[failing] == kInputSets - 1;
  Contents contents{Contents::Kind::result, {}, x.bindings, 0};
  if (fails) contents.kind = Contents::Kind::unspecified;
  std::vector<Output*> written;
  for (int slot = 0; slot < static_cast<int>(x.bindings.size()); ++slot) {
    // Where it is written to does not change what is written, nor does what nobody reads.
    if (access(x.call, slot) != ref::Access::read) contents.inputs[slot] = 0;
    if (access(x.call, slot) != ref::Access::written) continue;
    if (empty(x.call, slot)) continue;
    written.push_back(&output(x.call, x.bindings[slot], slot));
    if (!ordered(*written.back(), stream)) return std::nullopt;
  }
  enqueue(stream);
  Clock& from = descriptors_[x.descriptors].clock;
  for (std::size_t i = 0; i < from.size(); ++i)
    from[i] = std::max(from[i], streams_[stream].clock[i]);
  for (Output* output : written) {
    contents.byte = output->contents.byte;  // still in the gaps
    write(*output, stream, contents);
  }
  if (fails) {
    e.transition += " with a bad index";
    if (streams_[stream].failed < 0) streams_[stream].failed = x.call;
  }
  if (x.state == Executor::State::ready) x.state = Executor::State::consumed;
  return e;
}

}  // namespace gradproof::props
