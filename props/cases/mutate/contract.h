// The contract as boundary sides: what has to be mutated, from which side, before a rule is
// covered.
//
// The sides follow from the rule table, the signatures and what each product accepts. They are
// written apart from the mutations, so a mutation that is missing leaves a side uncovered.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "props/cases/case.h"
#include "props/cases/mutate/mutations.h"

namespace gradproof::props {

/// One border of one rule, from one side.
struct BoundarySide {
  ref::Operator op;
  ref::Product product;
  std::string rule;
  std::string argument;       ///< parameter, "all tensors" or "soc"
  int at = Mutation::kWhole;  ///< see Mutation
  int rank = 0;               ///< where `at` is a dimension: of how many; else 0
  bool broken = false;

  friend auto operator<=>(const BoundarySide&, const BoundarySide&) = default;
};

/// All sides of an operator on a product; of a product that lacks the operator, that alone.
std::vector<BoundarySide> boundary_sides(ref::Operator op, ref::Product product);

/// Whether the operator does not exist on the product.
bool lacks(ref::Operator op, ref::Product product);

/// The side that a boundary case covers.
BoundarySide side_of(const Mutation& mutation);
/// The sides that a valid call covers: pointers that are there, types, formats and ranks that are
/// taken.
std::vector<BoundarySide> sides_of_valid(const ref::Call& call);

/// "kernel-value kernelSize[1] kept", "dtype gradOutput INT8 broken": what `at` says in words.
std::string to_text(const BoundarySide& side);

/// Both mutations of one valid case in one call; nothing if they change the same thing.
/// ref::expect says which one phase 1 must answer.
std::optional<Case> both(const Case& valid, const Mutation& a, const Mutation& b);

}  // namespace gradproof::props
