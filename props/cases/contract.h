// The contract as cells: what has to be mutated, from which side, before a rule counts as covered.
//
// The cells follow from the rule table, the signatures and what each product accepts. They are
// written apart from the mutations, so a mutation that is missing leaves a point uncovered.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "props/cases/generator.h"

namespace gradproof::props {

/// One border of one rule, from one side.
struct RuleCell {
  ref::Operator op;
  ref::Product product;
  std::string rule;
  std::string argument;       ///< parameter, "all tensors" or "soc"
  int at = Mutation::kWhole;  ///< see Mutation
  int rank = 0;               ///< where `at` is a dimension: of how many; else 0
  bool broken = false;

  friend auto operator<=>(const RuleCell&, const RuleCell&) = default;
};

/// All cells of an operator on a product; of a product that lacks the operator, that alone.
std::vector<RuleCell> rule_cells(ref::Operator op, ref::Product product);

/// Whether the operator does not exist on the product.
bool lacks(ref::Operator op, ref::Product product);

/// The point that a boundary case covers.
RuleCell cell_of(const Mutation& mutation);
/// The cells that a valid call covers: pointers that are there, types, formats and ranks that are
/// taken.
std::vector<RuleCell> cells_of_valid(const ref::Call& call);

/// "kernel-value kernelSize[1] kept", "dtype gradOutput INT8 broken": what `at` says in words.
std::string to_text(const RuleCell& cell);

/// Both mutations of one valid case in one call; nothing if they change the same thing.
/// ref::expect says which one phase 1 must answer.
std::optional<Case> both(const Case& valid, const Mutation& a, const Mutation& b);

}  // namespace gradproof::props
