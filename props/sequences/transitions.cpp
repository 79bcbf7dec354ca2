// The transitions that a campaign has to see.
#include <set>

#include "props/sequences/model.h"

namespace gradproof::props {
namespace {

/// Collects names made of parts.
class Names {
 public:
  template <class... Parts>
  void add(const Parts&... parts) {
    std::string name;
    ((name += parts), ...);
    names_.insert(std::move(name));
  }
  std::vector<std::string> take() { return {names_.begin(), names_.end()}; }

 private:
  std::set<std::string> names_;
};

constexpr std::string_view kStreamStates[] = {"no stream", "destroyed stream", "default stream",
                                              "stream"};

bool is_live(std::string_view stream) { return stream == "stream" || stream == "default stream"; }

void add_descriptors(Names& names, const World& world) {
  for (const std::string_view state : {"null ", "", "destroyed "}) {
    names.add(state, "descriptors: destroy");
    if (!state.empty()) names.add(state, "descriptors: create");
    if (has(world.functions, Function::set_raw_address))
      names.add(state, "descriptors: set an address");
    for (const std::string_view manner :
         {"", " with a null workspaceSize", " with a null executor"})
      names.add("plan", state.empty() ? "" : " from ", state, state.empty() ? "" : "descriptors",
                manner);
  }
}

void add_addresses(Names& names, const World& world, std::string_view state, bool live) {
  struct Row {
    Function function;
    std::string_view what;
  };
  for (const Row& row :
       {Row{Function::set_tensor_address, "a tensor"}, Row{Function::set_input_address, "an input"},
        Row{Function::set_output_address, "an output"}}) {
    if (!has(world.functions, row.function)) continue;
    names.add(state, ": set ", row.what, "'s address");
    if (!live) continue;
    for (const std::string_view how : {" beyond the last", " with a null descriptor",
                                       " with a destroyed descriptor", " to null"})
      names.add(state, ": set ", row.what, "'s address", how);
  }
}

void add_executors(Names& names, const World& world) {
  const bool two = world.calls.size() > 1;
  bool fails = false;
  for (int call = 0; call < static_cast<int>(world.calls.size()); ++call)
    fails = fails || world.failing_slot(call) >= 0;
  for (const std::string_view state :
       {"null executor", "executor", "repeatable executor", "consumed executor",
        "destroyed executor", "unknown executor"}) {
    const bool repeatable = state == "repeatable executor";
    const bool live = repeatable || state == "executor";
    if (repeatable && !has(world.functions, Function::set_repeatable)) continue;
    if (state == "destroyed executor" && !has(world.functions, Function::destroy_executor))
      continue;
    if (has(world.functions, Function::set_repeatable)) names.add(state, ": make repeatable");
    if (has(world.functions, Function::destroy_executor)) names.add(state, ": destroy");
    add_addresses(names, world, state, live);
    if (!live) {
      names.add(state, ": run");
      if (two) names.add(state, ": run as another operator's");
      continue;
    }
    for (const std::string_view stream : kStreamStates) {
      names.add(state, ": run on ", stream);
      if (two) names.add(state, ": run as another operator's on ", stream);
      if (has(world.functions, Function::set_tensor_address))
        names.add(state, ": run with null data on ", stream);
      if (fails && is_live(stream)) names.add(state, ": run on ", stream, " with a bad index");
    }
  }
}

void add_streams(Names& names, const World& world, bool fails) {
  for (const std::string_view state : kStreamStates) {
    const bool live = is_live(state);
    if (!live) names.add(state, ": create");
    names.add(state, ": destroy");
    names.add(state, ": synchronise");
    if (fails && live) names.add(state, ": synchronise after a failure");
    if (has(world.functions, Function::synchronise_with_timeout)) {
      names.add(state, ": synchronise for a time");
      if (fails && live) names.add(state, ": synchronise for a time after a failure");
    }
    if (has(world.functions, Function::stream_query)) {
      for (const std::string_view when : {" when done", " at work"})
        names.add(state, ": query", live ? when : "");
    }
    if (has(world.functions, Function::polling)) names.add(state, ": query until done");
    if (has(world.functions, Function::memset_async)) {
      names.add(state, ": fill an output");
      names.add(state, ": delay");
    }
  }
  if (fails) names.add("stream: destroy after a failure");
}

void add_events(Names& names) {
  for (const std::string_view state : {"null event", "destroyed event"}) {
    names.add(state, ": create");
    for (const std::string_view what : {"record", "wait", "await", "query_event", "destroy_event"})
      names.add(state, ": ", what);
  }
  for (const std::string_view state : {"fresh event", "recorded event"}) {
    names.add(state, ": destroy");
    names.add(state, ": await");
    for (const std::string_view stream : kStreamStates) {
      names.add(state, ": record on ", stream);
      names.add(state, ": wait on ", stream);
    }
  }
  names.add("fresh event: query");
  names.add("recorded event: query when reached");
  names.add("recorded event: query before that is known");
}

void add_device(Names& names, const World& world, bool fails) {
  for (const std::string_view after : {"", " after a failure"}) {
    if (!after.empty() && !fails) continue;
    if (has(world.functions, Function::synchronise_device)) names.add("device: synchronise", after);
    if (has(world.functions, Function::reset_device)) names.add("device: reset", after);
    if (has(world.functions, Function::counted_resets))
      names.add("device: reset that is not the last", after);
    if (has(world.functions, Function::restart)) names.add("library: finalise", after);
  }
  if (has(world.functions, Function::counted_resets)) names.add("device: set");
  if (has(world.functions, Function::restart)) {
    names.add("library: initialise again");
    names.add("library: finalise twice");
  }
  if (has(world.functions, Function::recent_error)) {
    names.add("message: take");
    names.add("message: none to take");
  }
}

/// Whether a transition is the refusal of a handle or an argument.
bool is_refusal(std::string_view name) {
  if (name.ends_with(": create")) return false;
  for (const std::string_view part :
       {"null executor", "null workspaceSize", "null data", "null descriptor", "null event",
        "destroyed ", "consumed ", "unknown ", "no stream", "another operator's", "beyond the last",
        "default stream: destroy", "initialise again", "finalise twice", "fresh event: await",
        "fresh event: wait"}) {
    if (name.find(part) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> transitions(const World& world, std::span<const Command> sequence) {
  std::vector<std::string> seen;
  Model model(world);
  for (const Command& command : sequence) {
    std::optional<Expected> expected = model.take(command);
    if (expected && !expected->transition.empty()) seen.push_back(std::move(expected->transition));
  }
  return seen;
}

std::vector<std::string> required_transitions(const World& world) {
  bool fails = false;
  for (int call = 0; call < static_cast<int>(world.calls.size()); ++call)
    fails = fails || world.failing_slot(call) >= 0;
  Names names;
  add_descriptors(names, world);
  add_executors(names, world);
  add_streams(names, world, fails);
  if (has(world.functions, Function::events)) add_events(names);
  add_device(names, world, fails);
  std::vector<std::string> required = names.take();
  if (!has(world.functions, Function::refusals)) std::erase_if(required, is_refusal);
  return required;
}

}  // namespace gradproof::props
