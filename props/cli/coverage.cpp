// Counting and printing what was covered.
#include "props/cli/coverage.h"

#include <algorithm>
#include <cstdio>

#include "ref/element.h"

namespace gradproof::cli {
namespace {

constexpr std::size_t kNamed = 12;

/// Rules without a border to stand just inside of: any valid call is on their other side.
bool has_border(std::string_view rule) {
  return rule != "null-argument" && rule != "platform" && rule != "dtype" && rule != "format" && rule != "rank";
}

void print_missing(std::ostream& out, ref::Operator op, const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return;
  out << "not covered: " << ref::signature(op).stem << ", " << what << ": ";
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i) out << (i > 0 ? "; " : "") << names[i];
  if (names.size() > kNamed) out << "; and " << names.size() - kNamed << " more";
  out << '\n';
}

std::string share(std::size_t covered, std::size_t all) { return std::to_string(covered) + "/" + std::to_string(all); }

}  // namespace

std::string cell_name(const props::Cell& cell) {
  return std::string(ref::name(cell.product)) + " " + ref::dtype_name(cell.dtype) + " rank " + std::to_string(cell.rank) + " " +
         ref::format_name(cell.format);
}

void Coverage::saw_valid(const props::Case& c, const props::Cell& cell) {
  Tally& tally = tallies_[c.call.op];
  ++tally.cases;
  for (std::string& label : props::classes(c)) tally.classes.insert(std::move(label));
  const std::vector<props::Cell> all = props::cells(c.call.op);
  const auto at = std::find(all.begin(), all.end(), cell);
  if (at != all.end()) tally.cells.insert(static_cast<std::size_t>(at - all.begin()));
  for (const ref::Rule& rule : ref::rules()) {
    if (rule.applies(c.call.op) && !has_border(rule.id)) tally.kept.insert(std::string(rule.id));
  }
}

void Coverage::saw_misuse(const props::Case& c) {
  for (std::string& label : props::classes(c)) tallies_[c.call.op].classes.insert(std::move(label));
}

void Coverage::saw_attack(const props::Attack& attack) {
  Tally& tally = tallies_[attack.attacked.call.op];
  ++tally.attacks;
  (attack.breaks ? tally.broken : tally.kept).insert(attack.rule);
}

std::uint64_t Coverage::cases() const {
  std::uint64_t sum = 0;
  for (const auto& [op, tally] : tallies_) sum += tally.cases;
  return sum;
}

std::uint64_t Coverage::attacks() const {
  std::uint64_t sum = 0;
  for (const auto& [op, tally] : tallies_) sum += tally.attacks;
  return sum;
}

std::uint64_t Coverage::failures() const {
  std::uint64_t sum = 0;
  for (const auto& [op, tally] : tallies_) sum += tally.failures;
  return sum;
}

void Coverage::print(std::ostream& out) const {
  char line[200];
  std::snprintf(line, sizeof line, "%-32s %9s %10s %9s %12s %8s %9s %7s\n", "operator", "cases", "attacks", "failures",
                "worst error", "classes", "cells", "rules");
  out << line;
  struct Missing {
    ref::Operator op;
    std::vector<std::string> classes, cells, rules;
  };
  std::vector<Missing> missing;
  for (const ref::Operator op : operators_) {
    const auto found = tallies_.find(op);
    const Tally tally = found != tallies_.end() ? found->second : Tally{};
    Missing lacks{op, {}, {}, {}};
    std::size_t classes = 0, cells = 0, rules = 0;
    for (const std::string& label : props::all_classes(op)) {
      ++classes;
      if (!tally.classes.contains(label)) lacks.classes.push_back(label);
    }
    const std::vector<props::Cell> all = props::cells(op);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (std::find(products_.begin(), products_.end(), all[i].product) == products_.end()) continue;
      ++cells;
      if (!tally.cells.contains(i)) lacks.cells.push_back(cell_name(all[i]));
    }
    for (const ref::Rule& rule : ref::rules()) {
      if (!rule.applies(op)) continue;
      ++rules;
      const bool broken = tally.broken.contains(std::string(rule.id)), kept = tally.kept.contains(std::string(rule.id));
      if (!broken || !kept) lacks.rules.push_back(std::string(rule.id) + (broken ? " (kept)" : kept ? " (broken)" : ""));
    }
    std::snprintf(line, sizeof line, "%-32s %9llu %10llu %9llu %12.4f %8s %9s %7s\n", std::string(ref::signature(op).stem).c_str(),
                  static_cast<unsigned long long>(tally.cases), static_cast<unsigned long long>(tally.attacks),
                  static_cast<unsigned long long>(tally.failures), tally.worst_fraction,
                  share(classes - lacks.classes.size(), classes).c_str(), share(cells - lacks.cells.size(), cells).c_str(),
                  share(rules - lacks.rules.size(), rules).c_str());
    out << line;
    missing.push_back(std::move(lacks));
  }
  out << "worst error: as a fraction of its bound; rules: seen from both sides of their border\n";
  for (const Missing& lacks : missing) {
    print_missing(out, lacks.op, "classes", lacks.classes);
    print_missing(out, lacks.op, "cells", lacks.cells);
    print_missing(out, lacks.op, "rules", lacks.rules);
  }
}

}  // namespace gradproof::cli
