// A whole call against the reference.
#include <algorithm>

#include "aclnn/aclnn_base.h"
#include "props/cases/counted.h"
#include "props/cases/memory_layout.h"
#include "props/judge/judge_values.h"
#include "props/judge/verdict.h"

namespace gradproof::props {
namespace {

std::string status_finding(const char* step, std::int32_t got, std::int32_t expected,
                           const std::string& message) {
  return std::string(step) + " returned " + std::to_string(got) + ", expected " +
         std::to_string(expected) + (message.empty() ? "" : "\n  message: " + message);
}

/// Whether phase 2 follows a null pointer: a non-empty tensor that is read or written has none.
bool needs_missing_data(const ref::Call& call) {
  for (int slot = 0; slot < static_cast<int>(call.tensors.size()); ++slot) {
    const ref::Tensor& t = call.tensors[slot];
    if (t.null_data && access_of(call.op, slot) != ref::Access::described && element_count(t) > 0)
      return true;
  }
  return false;
}

}  // namespace

bool is_about_data(const Case& c) {
  const bool executor_alive = c.misuse == Misuse::small_workspace ||
                              c.misuse == Misuse::foreign_executor ||
                              c.misuse == Misuse::dead_stream;
  return executor_alive && needs_missing_data(c.call);
}

std::int32_t misuse_status(Misuse misuse) {
  switch (misuse) {
    case Misuse::none: return ACLNN_SUCCESS;
    case Misuse::null_executor:
    case Misuse::null_workspace:
    case Misuse::null_data: return ACLNN_ERR_PARAM_NULLPTR;
    case Misuse::small_workspace:
    case Misuse::consumed_executor:
    case Misuse::destroyed_executor:
    case Misuse::foreign_executor:
    case Misuse::unknown_executor: return ACLNN_ERR_PARAM_INVALID;
    case Misuse::dead_stream: return ACLNN_ERR_RUNTIME_ERROR;
  }
  return ACLNN_SUCCESS;
}

namespace {

/// Phase 2's answer to a misuse.
Verdict judge_misuse(const Case& c, const Outcome& got, profiles::Use* use) {
  // A null pointer comes first, as in phase 1.
  const std::int32_t expected =
      is_about_data(c) ? ACLNN_ERR_PARAM_NULLPTR : misuse_status(c.misuse);
  const profiles::Entry* entry = use != nullptr ? use->terms(c.call, c.misuse).phase2 : nullptr;
  if (entry != nullptr && got.misuse_status == entry->number) {
    use->met(*entry);
    return {};
  }
  if (got.misuse_status == expected) {
    if (entry != nullptr) use->contradicted(*entry);
    return {};
  }
  Verdict verdict =
      Verdict::violated("misuse " + std::string(name(c.misuse)),
                        status_finding(("phase 2 with " + std::string(name(c.misuse))).c_str(),
                                       got.misuse_status, expected, got.misuse_message));
  verdict.look = "status " + std::to_string(got.misuse_status);
  verdict.symptom = verdict.kind + " " + verdict.look;
  return verdict;
}

/// Of something that is not there: refused by phase 2 if phase 1 took it, else right all the same.
Verdict judge_absent(const profiles::Entry& entry, const Case& c,
                     const std::vector<ref::Dense>& data, const Outcome& got, profiles::Use* use) {
  if (got.phase2 != 0 || got.sync != 0) {
    use->met(entry);
    return Verdict::not_checked(std::string(profiles::kNotSupported) +
                                named(entry, use->profile()));
  }
  Verdict verdict = judge_values(c, data, got, use);
  if (verdict.held)
    use->contradicted(entry);
  else
    verdict.finding += "\n  not supported by " + named(entry, use->profile()) +
                       ", but neither refused nor correct";
  return verdict;
}

/// Of a call that phase 1 takes and phase 2 is known to refuse.
Verdict judge_refused_run(const profiles::Entry& entry, const Outcome& got, profiles::Use* use) {
  if (got.phase2 == entry.number) {
    use->met(entry);
    return {};
  }
  return Verdict::violated(
      "phase 2",
      status_finding("phase 2", got.phase2, static_cast<std::int32_t>(entry.number), got.message) +
          " by " + named(entry, use->profile()));
}

/// Of a call that is known to write nothing; of a valid one the documents' results will do.
Verdict judge_nothing(const profiles::Entry& entry, const Case& c,
                      const std::vector<ref::Dense>& data, const Outcome& got, profiles::Use* use) {
  const bool valid = ref::expect(c.call).rule == nullptr;
  const bool outputs = std::any_of(got.outputs.begin(), got.outputs.end(),
                                   [](const ref::Dense& output) { return !output.bytes.empty(); });
  if (!outputs) return {};  // there is nothing to see
  if (got.phase2 == 0 && got.sync == 0 && !got.wrote && got.phase1.workspace == 0) {
    use->met(entry);
    return {};
  }
  if (valid && got.phase2 == 0) {
    Verdict verdict = judge_values(c, data, got, use);
    if (verdict.held) use->contradicted(entry);
    if (verdict.held || got.wrote) return verdict;
  }
  const std::string why =
      got.phase2 != 0 ? status_finding("phase 2", got.phase2, 0, got.message)
      : got.sync != 0 ? status_finding("synchronisation", got.sync, 0, got.message)
      : got.wrote     ? "an output was written"
                      : "phase 1 requires a workspace of " + std::to_string(got.phase1.workspace);
  return Verdict::violated("nothing",
                           why + ", but the call does nothing by " + named(entry, use->profile()));
}

}  // namespace

std::string returned_instead(std::int32_t got, std::int32_t expected) {
  return "returned " + std::to_string(got) + " instead of " + std::to_string(expected);
}

std::string behind_workspace(std::int64_t bytes) {
  return counted(static_cast<std::uint64_t>(bytes), "byte") + " behind a workspace";
}

Verdict judge_memory(const Outcome& got) {
  if (got.trespasses.empty()) return {};
  std::string finding;
  for (const std::string& trespass : got.trespasses)
    finding += (finding.empty() ? "" : "\n  ") + trespass;
  Verdict verdict = Verdict::violated("trespass", finding);
  if (got.behind_workspace > 0 && got.trespasses.size() == 1)
    verdict.symptom = behind_workspace(got.behind_workspace);
  return verdict;
}

Verdict judge_outcome(const Case& c, const std::vector<ref::Dense>& data, const Outcome& got,
                      profiles::Use* use) {
  if (Verdict verdict = judge_phase1(c.call, got.phase1, use); !verdict.held || !verdict.checked)
    return verdict;
  const profiles::Terms terms = use != nullptr ? use->terms(c.call, c.misuse) : profiles::Terms{};
  const profiles::Entry* const answer = terms.answer;
  if (got.phase1.status != 0) {
    if (answer != nullptr && ref::expect(c.call).status == 0)
      return Verdict::not_checked(std::string(profiles::kNotSupported) +
                                  named(*answer, use->profile()));
    return {};
  }
  if (Verdict memory = judge_memory(got); !memory.held) return memory;
  if (got.misused) {
    if (Verdict verdict = judge_misuse(c, got, use); !verdict.held) return verdict;
  }
  if (!got.ran) {
    if (got.misused) return {};
    return Verdict::not_checked("phase 2 was not called");
  }
  if (needs_missing_data(c.call)) {
    if (got.phase2 == ACLNN_ERR_PARAM_NULLPTR) return {};
    return Verdict::violated("null data", status_finding("phase 2 without data", got.phase2,
                                                         ACLNN_ERR_PARAM_NULLPTR, got.message));
  }
  if (const profiles::Entry* nothing = terms.taken_by(profiles::Kind::writes))
    return judge_nothing(*nothing, c, data, got, use);
  if (const profiles::Entry* refuses = terms.taken_by(profiles::Kind::phase2))
    return judge_refused_run(*refuses, got, use);
  if (answer != nullptr && answer->kind == profiles::Kind::absent)
    return judge_absent(*answer, c, data, got, use);
  if (got.phase2 != 0) {
    return Verdict::violated(
        "phase 2", status_finding(got.misused ? "phase 2 after a refused misuse" : "phase 2",
                                  got.phase2, 0, got.message));
  }
  return judge_values(c, data, got, use);
}

}  // namespace gradproof::props
