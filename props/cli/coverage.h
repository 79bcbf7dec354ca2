// What a campaign has seen of each operator, and the table that says so.
#pragma once

#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "props/cases/generator.h"
#include "ref/rules.h"

namespace gradproof::cli {

/// Everything about one operator.
struct Tally {
  std::uint64_t cases = 0;     ///< valid cases whose results were checked
  std::uint64_t attacks = 0;   ///< calls at the border of a rule
  std::uint64_t failures = 0;  ///< checks that were violated
  double worst_fraction = 0;
  std::set<std::string> classes;
  std::set<std::size_t> cells;  ///< indices into props::cells(op)
  std::set<std::string> broken, kept;  ///< rules by side of their border
};

class Coverage {
 public:
  /// Cells of other products are no part of what has to be covered.
  Coverage(std::vector<ref::Operator> operators, std::vector<ref::Product> products)
      : operators_(std::move(operators)), products_(std::move(products)) {}

  Tally& of(ref::Operator op) { return tallies_[op]; }
  void saw_valid(const props::Case& c, const props::Cell& cell);
  void saw_misuse(const props::Case& c);
  void saw_attack(const props::Attack& attack);

  std::uint64_t cases() const;
  std::uint64_t attacks() const;
  std::uint64_t failures() const;
  /// The table, and below it by name what was not covered.
  void print(std::ostream& out) const;

 private:
  std::vector<ref::Operator> operators_;
  std::vector<ref::Product> products_;
  std::map<ref::Operator, Tally> tallies_;
};

/// "Ascend910B FLOAT16 rank 5 NCDHW".
std::string cell_name(const props::Cell& cell);

}  // namespace gradproof::cli
