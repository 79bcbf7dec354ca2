// A whole call against the reference.
#include <algorithm>

#include "aclnn/aclnn_base.h"
#include "props/cases/memory_layout.h"
#include "props/judge/compare.h"
#include "props/judge/verdict.h"

namespace gradproof::props {
namespace {

/// What aclrtSynchronizeStream answers after an index out of range (contract: bad indices).
constexpr std::int32_t kVectorCoreException = 507035;

std::string status_finding(const char* step, std::int32_t got, std::int32_t expected,
                           const std::string& message) {
  return std::string(step) + " answered " + std::to_string(got) + ", expected " +
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

Verdict judge_bad_index(const ref::Call& call, const ref::BadIndex& bad, const Outcome& got) {
  if (got.sync != kVectorCoreException) {
    return Verdict::violated("bad index", status_finding("synchronisation", got.sync,
                                                         kVectorCoreException, got.message) +
                                              "\n  indices holds " + std::to_string(bad.value) +
                                              " at position " + std::to_string(bad.position));
  }
  for (const std::string& word : {std::string(ref::signature(call.op).api),
                                  std::to_string(bad.position), std::to_string(bad.value)}) {
    if (got.message.find(word) == std::string::npos) {
      return Verdict::violated("bad index message",
                               "the message after a bad index does not name \"" + word +
                                   "\"\n  message: \"" + got.message + "\"");
    }
  }
  return {};
}

Verdict judge_values(const Case& c, const std::vector<ref::Dense>& data, const Outcome& got,
                     ref::Accuracy accuracy) {
  const ref::Evaluation evaluation(c.call, data);
  ref::BadIndex bad{};
  if (evaluation.has_bad_index(&bad)) return judge_bad_index(c.call, bad, got);
  if (got.sync != 0)
    return Verdict::violated("synchronisation",
                             status_finding("synchronisation", got.sync, 0, got.message));
  Verdict verdict;
  for (int slot : evaluation.outputs()) {
    const Comparison comparison = compare(evaluation, slot, got.outputs[slot], accuracy);
    verdict.worst_fraction = std::max(verdict.worst_fraction, comparison.worst_fraction);
    if (comparison.wrong == 0) continue;
    return Verdict::violated("values", describe(comparison, tensor_name(c.call.op, slot),
                                                got.outputs[slot], evaluation.result_type(slot)));
  }
  if (!got.unstable.empty()) return Verdict::violated("repeat", got.unstable);
  return verdict;
}

/// What the case's misuse must be answered: a null pointer comes first, as in phase 1.
std::int32_t expected_of_misuse(const Case& c) {
  const bool executor_alive = c.misuse == Misuse::small_workspace ||
                              c.misuse == Misuse::foreign_executor ||
                              c.misuse == Misuse::dead_stream;
  return executor_alive && needs_missing_data(c.call) ? ACLNN_ERR_PARAM_NULLPTR
                                                      : misuse_status(c.misuse);
}

}  // namespace

std::int32_t misuse_status(Misuse misuse) {
  switch (misuse) {
    case Misuse::none:
      return ACLNN_SUCCESS;
    case Misuse::null_executor:
    case Misuse::null_workspace:
    case Misuse::null_data:
      return ACLNN_ERR_PARAM_NULLPTR;
    case Misuse::small_workspace:
    case Misuse::consumed_executor:
    case Misuse::destroyed_executor:
    case Misuse::foreign_executor:
    case Misuse::unknown_executor:
      return ACLNN_ERR_PARAM_INVALID;
    case Misuse::dead_stream:
      return ACLNN_ERR_RUNTIME_ERROR;
  }
  return ACLNN_SUCCESS;
}

Verdict judge_outcome(const Case& c, const std::vector<ref::Dense>& data, const Outcome& got,
                      ref::Accuracy accuracy) {
  if (Verdict verdict = judge_phase1(c.call, got.phase1); !verdict.held || got.phase1.status != 0)
    return verdict;
  if (!got.trespasses.empty()) {
    std::string finding;
    for (const std::string& trespass : got.trespasses)
      finding += (finding.empty() ? "" : "\n  ") + trespass;
    return Verdict::violated("trespass", finding);
  }
  if (got.misused && got.misuse_status != expected_of_misuse(c)) {
    return Verdict::violated(
        "misuse " + std::string(name(c.misuse)),
        status_finding(("phase 2 with " + std::string(name(c.misuse))).c_str(), got.misuse_status,
                       expected_of_misuse(c), got.misuse_message));
  }
  if (!got.ran) return {};
  if (needs_missing_data(c.call)) {
    if (got.phase2 == ACLNN_ERR_PARAM_NULLPTR) return {};
    return Verdict::violated("null data", status_finding("phase 2 without data", got.phase2,
                                                         ACLNN_ERR_PARAM_NULLPTR, got.message));
  }
  if (got.phase2 != 0) {
    return Verdict::violated(
        "phase 2", status_finding(got.misused ? "phase 2 after a refused misuse" : "phase 2",
                                  got.phase2, 0, got.message));
  }
  return judge_values(c, data, got, accuracy);
}

}  // namespace gradproof::props
