// The rules of phase 1 as a table: one row a rule, in checking order, each a predicate on a Call.
//
// The table is the single source for the status that a call must be answered with, for the
// generator that breaks one rule at a time, for the rule-coverage report and for the documentation.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ref/call.h"

namespace gradproof::ref {

/// Where and how a call breaks a rule.
struct Violation {
  std::string argument;  ///< parameter name as in the signature, or "workspaceSize" / "executor"
  std::string detail;    ///< the offending values in words, e.g. "kernelSize[1] = 0"
  /// What a message must say of it, as numbers and names: all words of one of these lists, such as
  /// {"7", "8"} for an extent of 7 that should be 8; anything where there is none.
  std::vector<std::vector<std::string>> values{};
};

struct Rule {
  std::string_view id;  ///< "null-argument", "dtype", …: stable, used in messages and reports
  std::int32_t status;  ///< what phase 1 answers when this is the first rule broken
  std::string_view statement;  ///< one sentence of what must hold
  /// Operator documents that say so ("000 001 …"), and after "contract" what was decided where they
  /// are silent. Of statuses only 001 and 004 have lists.
  std::string_view source;
  /// Whether the operator has anything that the rule speaks about.
  bool (*applies)(Operator op);
  /// Nothing if the call keeps the rule. May assume that every earlier row of the table holds.
  std::optional<Violation> (*check)(const Call& call);
};

/// All rows in checking order.
std::span<const Rule> rules();

/// What phase 1 must return: `rule` is null exactly when the call is valid (status 0).
struct Expectation {
  std::int32_t status = 0;
  const Rule* rule = nullptr;
  Violation violation;
};
Expectation expect(const Call& call);
/// Likewise of an implementation that does not have the `left_out` rules, by their ids.
Expectation expect(const Call& call, std::span<const std::string_view> left_out);

}  // namespace gradproof::ref
