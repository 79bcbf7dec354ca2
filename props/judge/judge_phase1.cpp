// Phase 1 against the rule table.
#include "props/judge/verdict.h"

#include "props/judge/words.h"

namespace gradproof::props {
namespace {

std::string quoted(const std::string& message) {
  return message.empty() ? "" : "\n  message: " + message;
}

std::string says(const ref::Expectation& expected) {
  if (expected.rule == nullptr) return "the call is valid";
  return "rule " + std::string(expected.rule->id) + ": " + expected.violation.detail;
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

namespace {

/// A refusal leaves its outputs alone, unless the profile knows otherwise.
Verdict judge_refusal(const Phase1& got, const ref::Expectation& expected,
                      const profiles::Terms& terms, profiles::Use* use) {
  const profiles::Entry* const writes = terms.refused_workspace;
  const bool as_known = writes != nullptr && got.workspace_touched &&
                        got.workspace == static_cast<std::uint64_t>(writes->number);
  if (as_known) use->met(*writes);
  if (writes != nullptr && !got.workspace_touched) use->contradicted(*writes);
  if (got.workspace_touched && !as_known) {
    return Verdict::violated("outputs of phase 1",
                             "phase 1 failed as expected, but wrote *workspaceSize = " +
                                 std::to_string(got.workspace) + " (" + says(expected) + ")");
  }
  if (got.executor_touched) {
    return Verdict::violated(
        "outputs of phase 1",
        "phase 1 failed as expected, but wrote *executor (" + says(expected) + ")");
  }
  return {};
}

/// Counts what the status says of the entries; `due` is the profile's answer.
void note(const Phase1& got, std::int32_t documented, std::int32_t due,
          const profiles::Terms& terms, profiles::Use* use) {
  if (due == documented) return;
  std::vector<const profiles::Entry*> entries = terms.taken;
  if (terms.answer != nullptr) entries.push_back(terms.answer);
  if (got.status == documented) {
    use->contradicted(*entries.front());
  } else {
    for (const profiles::Entry* entry : entries) use->met(*entry);
  }
}

}  // namespace

Verdict judge_phase1(const ref::Call& call, const Phase1& got, profiles::Use* use) {
  if (!got.failure.empty()) return Verdict::violated("runtime", got.failure);
  const ref::Expectation expected = ref::expect(call);
  const bool asked = use != nullptr && !use->profile().entries.empty();
  const profiles::Terms terms = asked ? use->terms(call) : profiles::Terms{};
  const std::int32_t due = asked ? terms.status : expected.status;
  const bool untested = terms.answer != nullptr && terms.answer->kind == profiles::Kind::untested;
  if (untested)
    return Verdict::not_checked(std::string(profiles::kNotSpecified) +
                                named(*terms.answer, use->profile()));
  const bool absent = terms.answer != nullptr && terms.answer->kind == profiles::Kind::absent;
  if (got.status != expected.status && got.status != due && !(absent && got.status != 0)) {
    const std::string rule = expected.rule != nullptr ? std::string(expected.rule->id) : "valid";
    std::string wanted = std::to_string(expected.status);
    if (due != expected.status) {
      const profiles::Entry& entry = terms.answer != nullptr ? *terms.answer : *terms.taken.front();
      wanted = std::to_string(due) + " by " + named(entry, use->profile()) + ", or " + wanted;
    }
    return Verdict::violated("status " + rule, "phase 1 returned " + std::to_string(got.status) +
                                                   ", expected " + wanted + " (" + says(expected) +
                                                   ")" + quoted(got.message));
  }
  // What an absent thing is answered is for the whole call to say: phase 2 may refuse it too.
  if (absent && got.status != expected.status) use->met(*terms.answer);
  if (!absent) note(got, expected.status, due, terms, use);
  if (got.status != 0) return judge_refusal(got, expected, terms, use);
  if (!got.workspace_touched)
    return Verdict::violated("outputs of phase 1",
                             "phase 1 succeeded, but did not set *workspaceSize");
  if (!got.executor_touched)
    return Verdict::violated("outputs of phase 1", "phase 1 succeeded, but did not set *executor");
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
    return Verdict::violated("message",
                             "phase 1 failed, but left no message (" + says(expected) + ")");
  }
  const std::string rule(expected.rule->id);
  std::string lacks;
  if (!names(got.message, ref::signature(call.op).api)) {
    lacks = "the operator " + std::string(ref::signature(call.op).api);
  } else if (!names(got.message, rule)) {
    lacks = "the rule " + rule;
  } else if (!names_argument(call.op, expected.violation, got.message, naming)) {
    lacks = "the argument " + expected.violation.argument;
  } else if (const auto& values = expected.violation.values;
             naming == Naming::the_argument && !says_any(got.message, values)) {
    lacks = "the values " + in_words(values);
  } else {
    return {};
  }
  return Verdict::violated("message " + rule, "the message of phase 1 does not name " + lacks +
                                                  " (" + says(expected) + ")\n  message: \"" +
                                                  got.message + "\"");
}

}  // namespace gradproof::props
