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

}  // namespace

Verdict judge_phase1(const ref::Call& call, const Phase1& got) {
  if (!got.failure.empty()) return Verdict::violated("runtime", got.failure);
  const ref::Expectation expected = ref::expect(call);
  const std::string rule = expected.rule != nullptr ? std::string(expected.rule->id) : "valid";
  if (got.status != expected.status) {
    return Verdict::violated("status " + rule, "phase 1 answered " + std::to_string(got.status) + ", expected " +
                                                   std::to_string(expected.status) + " (" + says(expected) + ")" +
                                                   quoted(got.message));
  }
  if (got.status != 0) {
    if (got.workspace_touched) {
      return Verdict::violated("outputs of phase 1", "phase 1 failed as it must and wrote *workspaceSize = " +
                                                         std::to_string(got.workspace) + " (" + says(expected) + ")");
    }
    if (got.executor_touched) {
      return Verdict::violated("outputs of phase 1", "phase 1 failed as it must and wrote *executor (" + says(expected) + ")");
    }
    return {};
  }
  if (!got.workspace_touched) return Verdict::violated("outputs of phase 1", "phase 1 succeeded and did not set *workspaceSize");
  if (!got.executor_touched) return Verdict::violated("outputs of phase 1", "phase 1 succeeded and did not set *executor");
  if (got.executor_null) return Verdict::violated("outputs of phase 1", "phase 1 succeeded with a null executor");
  return {};
}

Verdict judge_message(const ref::Call& call, const Phase1& got) {
  const ref::Expectation expected = ref::expect(call);
  if (expected.rule == nullptr || got.status == 0) return {};
  const std::string operator_name(ref::signature(call.op).api);
  const std::string rule(expected.rule->id);
  for (const auto& [what, word] : {std::pair{"operator", operator_name}, std::pair{"rule", rule},
                                   std::pair{"argument", expected.violation.argument}}) {
    if (got.message.find(word) != std::string::npos) continue;
    return Verdict::violated("message " + rule, "the message of phase 1 does not name the " + std::string(what) + " \"" +
                                                    word + "\" (" + says(expected) + ")\n  message: \"" + got.message + "\"");
  }
  return {};
}

}  // namespace gradproof::props
