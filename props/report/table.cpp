// Prints a report on the terminal.
#include "props/report/table.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <utility>

#include "props/cases/contract.h"
#include "props/cases/counted.h"
#include "props/report/entries_text.h"
#include "props/report/findings.h"
#include "props/report/text.h"
#include "ref/rules.h"

namespace gradproof::report {
namespace {

constexpr std::size_t kNamed = 12;

void print_missing(std::ostream& out, ref::Operator op, const char* what,
                   const std::vector<std::string>& names) {
  if (names.empty()) return;
  out << "not covered: " << ref::signature(op).stem << ", " << what << ": ";
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i)
    out << (i > 0 ? "; " : "") << names[i];
  if (names.size() > kNamed) out << "; and " << names.size() - kNamed << " more";
  out << '\n';
}

std::string share(const Covered& c) {
  return std::to_string(c.covered) + "/" + std::to_string(c.all);
}

unsigned long long number(std::uint64_t n) { return n; }

}  // namespace

Covered covered(const std::map<std::string, std::uint64_t>& counts) {
  Covered c;
  for (const auto& [name, count] : counts) {
    ++c.all;
    if (count > 0)
      ++c.covered;
    else
      c.missing.push_back(name);
  }
  return c;
}

Covered covered(const std::vector<RuleCount>& rules) {
  Covered c;
  for (const RuleCount& rule : rules) {
    const Sides seen = rule.total();
    ++c.all;
    if (seen.broken > 0 && seen.kept > 0)
      ++c.covered;
    else
      c.missing.push_back(rule.rule + (seen.broken > 0 ? " (kept)"
                                       : seen.kept > 0 ? " (broken)"
                                                       : ""));
  }
  return c;
}

void print_failures(std::ostream& out, const Report& report, std::size_t most) {
  const std::size_t shown = std::min(most, report.failures.size());
  for (const Failure& f : std::span(report.failures).first(shown)) {
    out << "failed: " << f.property << " of " << ref::signature(f.op).stem << ": "
        << printable(f.finding) << "\nrepro: " << f.repro << '\n';
    if (!f.shrunk) out << '(' << f.remark() << ")\n";
    if (const std::string extent = extent_of(f); !extent.empty()) out << "in: " << extent << '\n';
    if (!f.picture.empty()) out << printable(f.picture);
    out << '\n';
  }
  for (const Failure& f : std::span(report.failures).subspan(shown)) {
    out << "failed: " << f.property << " of " << ref::signature(f.op).stem << ": "
        << printable(sort_of(f));
    if (const std::string extent = extent_of(f); !extent.empty()) out << "; " << extent;
    out << '\n';
  }
  if (shown < report.failures.size()) out << "details of these: --show all, or the report\n\n";
}

/// A run that did not walk the whole contract: how much of it is left. Pages of names would say no
/// more, and hide the verdict.
static void print_partial(std::ostream& out, const Report& report) {
  std::string left;
  const auto add = [&](const std::string& what) { left += (left.empty() ? "" : ", ") + what; };
  Covered points, sides;
  for (const auto& [op, o] : report.operators) {
    for (const auto& [counts, sum] :
         {std::pair(&o.cells, &points), std::pair(&o.borders, &sides)}) {
      const Covered of_operator = covered(*counts);
      sum->covered += of_operator.covered;
      sum->all += of_operator.all;
    }
  }
  const auto add_missing = [&](const Covered& c, const char* what) {
    if (c.covered < c.all)
      add(std::to_string(c.all - c.covered) + " of " + std::to_string(c.all) + " " + what);
  };
  if (!report.promises_borders()) {
    add_missing(points, "coverage points");
    add_missing(sides, "boundary sides");
  }
  const std::vector<std::string>& all = report.question.operators;
  if (report.question.selected_operators.empty()) {
    for (int i = 0; i < ref::kOperatorCount; ++i) {
      const std::string stem(ref::signature(static_cast<ref::Operator>(i)).stem);
      if (std::find(all.begin(), all.end(), stem) == all.end()) add(stem);
    }
  }
  const std::vector<std::string> idle = report.idle_properties();
  std::string names;
  for (const std::string& name : idle) names += ' ' + name;
  if (!idle.empty())
    add(std::to_string(idle.size()) + (idle.size() == 1 ? " property" : " properties") + " (" +
        names.substr(1) + ")");
  if (report.question.phase1_only) add("phase 2");
  if (!left.empty()) out << "partial run, not tested: " << left << '\n';
}

void print_providers(std::ostream& out, const Question& question) {
  if (question.runtime.empty()) return;
  out << "runtime: " << printable(question.runtime);
  if (!question.conformance.empty()) out << ", conformance " << printable(question.conformance);
  out << '\n';
  if (!question.validation.empty())
    out << "validation: " << printable(question.validation) << "; values alone are judged\n";
  for (const Provider& p : question.providers) {
    out << "operators: " << printable(p.file) << ": ";
    if (p.operators.size() == static_cast<std::size_t>(ref::kOperatorCount)) {
      out << "all " << ref::kOperatorCount << '\n';
      continue;
    }
    for (std::size_t i = 0; i < p.operators.size(); ++i)
      out << (i > 0 ? ", " : "") << p.operators[i];
    out << '\n';
  }
  for (const Provider& p : question.dependencies) {
    out << "not judged: " << props::counted(p.operators.size(), "operator") << " of "
        << printable(p.file) << ", a dependency; name that file with --library to judge it\n";
  }
}

/// How often kernels ran, and which no call chose in phase 1.
void print_kernels(std::ostream& out, const Report& report) {
  std::size_t ways = 0;
  std::uint64_t fewest = ~std::uint64_t{0};
  std::string of_fewest, never;
  for (const auto& [op, o] : report.operators) {
    const std::string stem(ref::signature(op).stem);
    for (const auto& [kernel, runs] : o.kernels) {
      if (runs.empty()) never += (never.empty() ? "" : ", ") + kernel + " of " + stem;
      ways += runs.size();
      for (const auto& [how, count] : runs) {
        if (count >= fewest) continue;
        fewest = count;
        of_fewest = kernel + " of " + stem + " (" + how + ")";
      }
    }
  }
  if (ways > 0) {
    out << "kernels: " << ways
        << " combinations of kernel, type and instruction set ran, least often, "
        << props::counted(fewest, "time") << ", " << printable(of_fewest) << '\n';
  }
  if (!never.empty()) out << "kernels that no call chose: " << printable(never) << '\n';
}

void print_table(std::ostream& out, const Report& report) {
  char line[200];
  std::snprintf(line, sizeof line, "%-32s %9s %10s %9s %12s %8s %9s %7s\n", "operator", "cases",
                "boundary", "failures", "worst error", "classes", "points", "sides");
  out << line;
  for (const auto& [op, o] : report.operators) {
    std::snprintf(line, sizeof line, "%-32s %9llu %10llu %9llu %12.4f %8s %9s %7s\n",
                  std::string(ref::signature(op).stem).c_str(), number(o.cases),
                  number(o.boundary_cases), number(o.failures), o.worst(),
                  share(covered(o.classes)).c_str(), share(covered(o.cells)).c_str(),
                  share(covered(o.borders)).c_str());
    out << line;
  }
  out << "boundary: boundary cases; worst error: as a fraction of its bound; points: products, "
         "types, "
         "ranks\nand formats covered; sides: boundary sides covered\n";
  Covered transitions;
  for (const auto& [op, o] : report.operators) {
    const Covered of_operator = covered(o.transitions);
    transitions.covered += of_operator.covered;
    transitions.all += of_operator.all;
  }
  if (transitions.all > 0) {
    out << "life-cycle: " << share(transitions)
        << " transitions of executors, streams, events and errors\n";
  }
  print_kernels(out, report);
  for (const auto& [op, o] : report.operators) {
    if (report.promises_transitions())
      print_missing(out, op, "life-cycle", covered(o.transitions).missing);
    if (!report.promises_borders()) continue;
    print_missing(out, op, "classes", covered(o.classes).missing);
    print_missing(out, op, "cells", covered(o.cells).missing);
    print_missing(out, op, "rules", covered(o.borders).missing);
  }
  print_partial(out, report);
}

void print_matrix(std::ostream& out, const Report& report) {
  struct Row {
    Covered kept, broken;
  };
  char line[200];
  for (const auto& [op, o] : report.operators) {
    std::map<std::pair<std::string, std::string>, Row> rows;
    for (int i = 0; i < ref::kProductCount; ++i) {
      const auto product = static_cast<ref::Product>(i);
      for (const props::RuleCell& cell : props::rule_cells(op, product)) {
        const auto count = o.borders.find(props::to_text(cell));
        if (count == o.borders.end()) continue;  // the library is not that product
        Row& row = rows[{cell.rule, cell.argument}];
        Covered& side = cell.broken ? row.broken : row.kept;
        ++side.all;
        if (count->second > 0) ++side.covered;
      }
    }
    std::snprintf(line, sizeof line, "%-50s %9s %9s\n",
                  std::string(ref::signature(op).stem).c_str(), "kept", "broken");
    out << line;
    for (const ref::Rule& rule : ref::rules()) {
      for (const auto& [key, row] : rows) {
        if (key.first != rule.id) continue;
        const auto text = [](const Covered& c) { return c.all == 0 ? std::string("-") : share(c); };
        std::snprintf(line, sizeof line, "  %-16s %-31s %9s %9s\n", key.first.c_str(),
                      key.second.c_str(), text(row.kept).c_str(), text(row.broken).c_str());
        out << line;
      }
    }
  }
}

void print_verdict(std::ostream& out, const Report& report) {
  print_entries(out, report);
  const std::vector<std::string>& products = report.question.products;  // `run` asks for none
  if (!products.empty() && products.size() < static_cast<std::size_t>(ref::kProductCount)) {
    out << "judged as";
    for (const std::string& product : products) out << ' ' << product;
    out << " only: the library is no other product\n";
  }
  std::string shard;
  if (report.shards > 1 && report.parts.size() == 1) {
    shard =
        ", shard " + std::to_string(report.parts[0].shard) + " of " + std::to_string(report.shards);
  } else if (report.shards > 1) {
    shard = ", " + std::to_string(report.parts.size()) + " of " +
            props::counted(static_cast<std::uint64_t>(report.shards), "shard");
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f s", report.seconds());
  if (report.replayed > 0)
    out << "tried again: " << props::counted(report.replayed, "finding") << " of earlier runs\n";
  for (const std::string& what : report.untested())
    out << "not tested: " << printable(what) << '\n';
  const std::uint64_t known = report.entries.known_findings();
  const Result result = report.result();
  out << (result == Result::failed       ? "FAILED"
          : result == Result::incomplete ? "INCOMPLETE"
                                         : "passed")
      << ": " << props::counted(report.cases(), "case") << " and "
      << props::counted(report.boundary_cases(), "boundary case") << " in " << seconds << ", seed "
      << report.question.seed << shard << ", " << props::counted(report.failed(), "failure")
      << (known > 0 ? ", " + std::to_string(known) + " known" : "")
      << (report.interrupted() ? " (interrupted)\n" : "\n");
}

}  // namespace gradproof::report
