// Asking the table, and what the other conformance would have said.
#include "opt/ops/conformance.h"

#include <algorithm>

#include "opt/runtime/notice.h"

namespace gradproof::ops {
namespace {

template <class Row>
bool concerns(const Row& row, const Call& call) {
  const bool here = std::any_of(row.apis.begin(), row.apis.end(),
                                [&](std::string_view api) { return api == call.api; });
  return here && (row.products >> static_cast<int>(call.config.product) & 1) != 0;
}

const Difference* find(const Call& call, std::string_view rule, std::string_view argument) {
  for (const Difference& row : differences()) {
    if (row.rule == rule && (row.argument.empty() || row.argument == argument) &&
        concerns(row, call) && row.applies.to(call, argument)) {
      return &row;
    }
  }
  return nullptr;
}

const char* name_of_other(Conformance mine) {
  return mine == Conformance::cann ? "the documents" : "CANN";
}

std::string status_text(const Status& status) { return std::to_string(status.code()); }

/// Whether one of the arguments is the named one, and the condition holds for it.
template <class Arguments, class Condition>
bool named(const Arguments& arguments, std::string_view name, const Condition& holds) {
  return std::ranges::any_of(arguments, [&](const auto& a) { return name == a.name && holds(a); });
}

}  // namespace

bool Applies::to(const Call& call, std::string_view argument) const {
  if (call_ != nullptr) return call_(call);
  if (tensor_ != nullptr) {
    return named(call.tensors, argument, [&](const auto& tensor) { return tensor_(call, tensor); });
  }
  if (array_ != nullptr) {
    return named(call.arrays, argument, [&](const auto& array) { return array_(call, array); });
  }
  return true;
}

bool goes(const Call& call, Way way) {
  if (call.config.conformance == Conformance::documented) return false;
  const WayDifference& row = ways()[static_cast<std::size_t>(way)];
  return (row.products >> static_cast<int>(call.config.product) & 1) != 0 &&
         (row.applies == nullptr || row.applies(call));
}

Verdict judge(const Call& call, std::string_view rule, std::string_view argument) {
  call.course.judged = true;
  const Difference* const row = find(call, rule, argument);
  if (row == nullptr) return {};
  const bool cann = call.config.conformance == Conformance::cann;
  const Verdict& mine = cann ? row->cann : row->documented;
  const Verdict& theirs = cann ? row->documented : row->cann;
  if (mine.answer != theirs.answer || mine.status != theirs.status) call.course.differs = true;
  if (mine.answer == Answer::nothing) call.course.nothing = true;
  if (mine.writes_workspace) *call.workspace_size = 0;
  return mine;
}

Status refused(const Call& call, std::string_view rule, const Verdict& verdict,
               std::string message) {
  const std::int32_t usual =
      rule == "null-argument" ? ACLNN_ERR_PARAM_NULLPTR : ACLNN_ERR_PARAM_INVALID;
  Status status(verdict.status != 0 ? verdict.status : usual, std::move(message));
  if (verdict.answer == Answer::refused) return status;
  if (call.course.later.ok()) call.course.later = std::move(status);
  return {};
}

Status with_advice(Call& call, Status status, Status (*validate)(const void*),
                   const void* context) {
  const Conformance mine = call.config.conformance;
  const std::uint64_t workspace_size = *call.workspace_size;  // not null: neither takes that
  call.config.conformance = mine == Conformance::cann ? Conformance::documented : Conformance::cann;
  call.course = {};
  const Status theirs = validate(context);
  const Course their_course = std::move(call.course);
  call.config.conformance = mine;
  call.course = {};
  *call.workspace_size = workspace_size;

  const std::string who = name_of_other(mine);
  if (status.ok()) {
    const Status& refusal = theirs.ok() ? their_course.later : theirs;
    if (!refusal.ok()) {
      // perhaps uncovered: few calls are logged
      notice_once("refused by " + who + ": " + refusal.message() +
                  (theirs.ok() ? " (in phase 2)" : ""));
    }
    return validate(context);  // again, for what it leaves behind
  }
  std::string advice;
  if (theirs.ok()) {
    advice = "; accepted by " + who;
    if (!their_course.later.ok()) {
      advice += " in phase 1, refused in phase 2 with " + status_text(their_course.later);
    }
  } else if (theirs.code() != status.code()) {
    advice = "; refused by " + who + " with " + status_text(theirs);
  }
  return {status.code(), status.message() + advice};
}

}  // namespace gradproof::ops
