// Phase 1 against the rule table.
#include "props/judge/verdict.h"

namespace gradproof::props {
namespace {

std::string quoted(const std::string& message) {
  return message.empty() ? "" : "\n  message: " + message;
}

std::string says(const ref::Expectation& expected) {
  if (expected.rule == nullptr) return "the call is valid";
  return "rule " + std::string(expected.rule->id) + ": " + expected.violation.detail;
}

/// Whether the status is one that the documents or the profile's entry foresee.
bool answered_as(const profiles::Entry* entry, std::int32_t got, std::int32_t documented) {
  if (got == documented || entry == nullptr) return got == documented;
  return entry->kind == profiles::Kind::absent ? got != 0 : got == entry->number;
}

bool names(const std::string& message, std::string_view word) {
  return message.find(word) != std::string::npos;
}

/// Where a rule relates several arguments, naming any that the violation is about will do.
bool names_argument(ref::Operator op, const ref::Violation& violation, const std::string& message,
                    Naming naming) {
  if (names(message, violation.argument)) return true;
  const bool any = naming == Naming::any_argument;
  for (const ref::Parameter& p : ref::signature(op).parameters) {
    if ((any || names(violation.detail, p.name)) && names(message, p.name)) return true;
  }
  return any && (names(message, "workspaceSize") || names(message, "executor"));
}

}  // namespace

Verdict judge_phase1(const ref::Call& call, const Phase1& got, profiles::Use* use) {
  if (!got.failure.empty()) return Verdict::violated("runtime", got.failure);
  const ref::Expectation expected = ref::expect(call);
  const profiles::Entry* entry = use != nullptr ? use->terms(call).answer : nullptr;
  if (entry != nullptr && entry->kind == profiles::Kind::untested)
    return Verdict::not_checked("not specified: " + named(*entry, use->profile()));
  if (!answered_as(entry, got.status, expected.status)) {
    const std::string rule = expected.rule != nullptr ? std::string(expected.rule->id) : "valid";
    std::string wanted = std::to_string(expected.status);
    if (entry != nullptr && entry->kind == profiles::Kind::status)
      wanted = std::to_string(entry->number) + " by " + named(*entry, use->profile()) + ", or " +
               wanted;
    return Verdict::violated("status " + rule, "phase 1 answered " + std::to_string(got.status) +
                                                   ", expected " + wanted + " (" + says(expected) +
                                                   ")" + quoted(got.message));
  }
  if (entry != nullptr && got.status != expected.status) use->met(*entry);
  // What an absent thing is answered is for the whole call to say: phase 2 may refuse it too.
  if (entry != nullptr && entry->kind == profiles::Kind::status && got.status == expected.status &&
      entry->number != expected.status)
    use->contradicted(*entry);
  if (got.status != 0) {
    if (got.workspace_touched) {
      return Verdict::violated("outputs of phase 1",
                               "phase 1 failed as it must and wrote *workspaceSize = " +
                                   std::to_string(got.workspace) + " (" + says(expected) + ")");
    }
    if (got.executor_touched) {
      return Verdict::violated(
          "outputs of phase 1",
          "phase 1 failed as it must and wrote *executor (" + says(expected) + ")");
    }
    return {};
  }
  if (!got.workspace_touched)
    return Verdict::violated("outputs of phase 1",
                             "phase 1 succeeded and did not set *workspaceSize");
  if (!got.executor_touched)
    return Verdict::violated("outputs of phase 1", "phase 1 succeeded and did not set *executor");
  if (got.executor_null)
    return Verdict::violated("outputs of phase 1", "phase 1 succeeded with a null executor");
  return {};
}

Verdict judge_message(const ref::Call& call, const Phase1& got, Naming naming,
                      const profiles::Use* use) {
  const ref::Expectation expected = ref::expect(call);
  if (expected.rule == nullptr || got.status == 0) return {};
  if (use != nullptr && !use->promises("messages")) {
    if (!got.message.empty()) return {};
    return Verdict::violated("message", "phase 1 failed and left no message (" + says(expected) + ")");
  }
  const std::string rule(expected.rule->id);
  std::string lacks;
  if (!names(got.message, ref::signature(call.op).api)) {
    lacks = "the operator " + std::string(ref::signature(call.op).api);
  } else if (!names(got.message, rule)) {
    lacks = "the rule " + rule;
  } else if (!names_argument(call.op, expected.violation, got.message, naming)) {
    lacks = "the argument " + expected.violation.argument;
  } else {
    return {};
  }
  return Verdict::violated("message " + rule, "the message of phase 1 does not name " + lacks +
                                                  " (" + says(expected) + ")\n  message: \"" +
                                                  got.message + "\"");
}

}  // namespace gradproof::props
