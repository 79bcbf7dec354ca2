// Prints a report on the terminal.
#include "props/report/table.h"
#include "props/report/page.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <span>
#include <sstream>
#include <utility>

#include "props/cases/counted.h"
#include "props/report/entries_text.h"
#include "props/report/findings.h"
#include "props/report/partial.h"
#include "props/report/text.h"
#include "props/subject/kernels.h"

namespace gradproof::report {
namespace {

constexpr std::size_t kNamed = 12;
constexpr std::size_t kLegend = 100;  // columns, where the width is unlimited

void print_missing(std::ostream& out, const Style& style, ref::Operator op, const char* what,
                   const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::string text = "not covered: " + std::string(ref::signature(op).stem) + ", " + what + ": ";
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i)
    text += (i > 0 ? "; " : "") + names[i];
  if (names.size() > kNamed) text += "; and " + std::to_string(names.size() - kNamed) + " more";
  out << wrapped(text, style.width) << '\n';
}

}  // namespace

std::string share(const Covered& c) {
  return std::to_string(c.covered) + "/" + std::to_string(c.all);
}

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

Covered covered_points(const OperatorReport& o) {
  std::map<std::string, std::uint64_t> counts = o.points;
  std::erase_if(counts,
                [&](const auto& one) { return one.second == 0 && o.declined.contains(one.first); });
  return covered(counts);
}

bool expects_refusals(const OperatorReport& o, const std::string& rule) {
  return std::ranges::any_of(o.borders, [&](const auto& side) {
    return side.first.starts_with(rule + ' ') &&
           side.first.find(" broken on ") != std::string::npos;
  });
}

Covered covered_rules(const OperatorReport& o) {
  Covered c;
  for (const RuleCount& rule : o.rules) {
    if (!expects_refusals(o, rule.rule)) continue;
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

std::string found_line(const Failure& f, const Style& style) {
  constexpr std::string_view kHead = "finding: ";
  std::string text = headline(f);
  for (std::size_t i = 0; i < f.in_common.size(); ++i)
    text += (i == 0 ? " with " : ", ") + f.in_common[i];
  text += ": " + f.finding.substr(0, f.finding.find("; the first:"));
  return style.bad(kHead) + shortened(printable(text), style.width - kHead.size());
}

void print_failures(std::ostream& out, const Report& report, std::size_t most, const Style& style) {
  const std::size_t shown = std::min(most, report.failures.size());
  for (const Failure& f : std::span(report.failures).first(shown)) {
    const std::string where = f.where.empty() ? "" : printable(f.where) + ": ";
    const std::string text =
        wrapped(where + "failed: " + f.property + " of " + std::string(ref::signature(f.op).stem) +
                    ": " + printable(f.finding),
                style.width);
    const std::size_t head = text.find("failed:", where.size());
    out << text.substr(0, head) << style.bad("failed:") << text.substr(head + 7) << '\n'
        << wrapped_command("repro: " + f.repro, style.width) << '\n';
    out << wrapped(f.remarks(), style.width);
    if (const std::string extent = extent_of(f); !extent.empty())
      out << wrapped("in: " + extent, style.width) << '\n';
    if (!f.picture.empty()) out << printable(f.picture) << '\n';
    out << '\n';
  }
  if (const std::size_t more = report.failures.size() - shown; more > 0)
    out << props::counted(more, shown > 0 ? "more finding" : "finding")
        << " only in the summary; --show all prints all in full\n\n";
}

void print_summary(std::ostream& out, const Report& report, const Style& style) {
  if (report.failures.empty()) return;
  for (const Failure& f : report.failures) {
    std::string text = headline(f);
    if (const std::string extent = extent_of(f); !extent.empty()) text += "; " + extent;
    const std::string line = shortened(printable(text), style.width);
    const std::size_t end = std::min(line.find(':'), line.size());
    out << style.bad(line.substr(0, end)) << line.substr(end) << '\n';
  }
}

void print_providers(std::ostream& out, const Question& question, const Style& style) {
  if (question.runtime.empty()) return;
  std::ostringstream text;
  text << "runtime: " << printable(question.runtime);
  if (!question.conformance.empty()) text << ", conformance " << printable(question.conformance);
  text << '\n';
  if (!question.validation.empty())
    text << "validation: " << printable(question.validation) << "; only values are checked\n";
  if (!question.tensors.empty())
    text << "tensors of the kernels: " << printable(question.tensors) << '\n';
  if (!question.float_mode.empty())
    text << "floating-point mode: " << printable(question.float_mode) << '\n';
  for (const Provider& p : question.providers) {
    text << "operators: " << printable(p.file) << ": ";
    if (p.operators.size() == static_cast<std::size_t>(ref::kOperatorCount)) {
      text << "all " << ref::kOperatorCount << '\n';
      continue;
    }
    for (std::size_t i = 0; i < p.operators.size(); ++i)
      text << (i > 0 ? ", " : "") << p.operators[i];
    text << '\n';
  }
  for (const Provider& p : question.dependencies) {
    text << "not tested: " << props::counted(p.operators.size(), "operator") << " of "
         << printable(p.file) << ", a dependency; to test them, pass that file with --library\n";
  }
  out << wrapped(text.str(), style.width);
}

void print_environment(std::ostream& out, const std::vector<std::string>& environment) {
  if (environment.empty()) return;
  out << "environment:";
  for (const std::string& variable : environment) out << ' ' << printable(variable);
  out << "; libgradproof obeys it, also where the library under test calls libgradproof\n";
}

/// How often kernels ran, and which ones the library never chose.
void print_kernels(std::ostream& out, const Report& report, const Style& style) {
  std::size_t ways = 0, often = 0, compared = 0;
  std::uint64_t fewest = ~std::uint64_t{0};
  std::string of_fewest, never;
  for (const auto& [op, o] : report.operators) {
    const std::string stem(ref::signature(op).stem);
    for (const auto& [kernel, runs] : o.kernels) {
      const std::size_t before = ways;
      for (const auto& [how, count] : runs) {
        if (how.ends_with(kCompared)) {
          ++compared;
          continue;
        }
        ++ways;
        if (count >= props::kLeastRuns) ++often;
        if (count >= fewest) continue;
        fewest = count;
        of_fewest = kernel + " of " + stem + " (" + how + ")";
      }
      if (ways == before) never += (never.empty() ? "" : ", ") + kernel + " of " + stem;
    }
  }
  std::ostringstream text;
  if (ways > 0) {
    text << "kernels: " << ways << " combinations of kernel, type and instruction set were chosen, "
         << often << " of them " << props::kLeastRuns << " times or more; least often, "
         << props::counted(fewest, "time") << ": " << printable(of_fewest) << '\n';
  }
  if (compared > 0) {
    text << "kernels compared with each other: " << compared
         << " combinations of kernel, type and instruction set\n";
  }
  if (ways > 0 && !never.empty()) text << "kernels never chosen: " << printable(never) << '\n';
  out << wrapped(text.str(), style.width);
}

/// Where nothing failed: the value that came nearest to failing.
static void print_nearest(std::ostream& out, const Report& report, const Style& style) {
  if (!report.failures.empty()) return;
  const Distribution* worst = nullptr;
  std::string where;
  for (const auto& [op, o] : report.operators) {
    for (const auto& [dtype, errors] : o.errors) {
      if (errors.test.empty() || (worst != nullptr && errors.worst <= worst->worst)) continue;
      worst = &errors;
      where = dtype + " of " + std::string(ref::signature(op).stem);
    }
  }
  if (worst == nullptr) return;
  out << wrapped_command("worst error: " + worst_text(worst->worst) + " of its bound, in " + where +
                             ", case " + shell_word(worst->test),
                         style.width)
      << '\n';
}

/// The life cycle, for example, is checked by sequences of calls. Where too little was tested, the
/// missing cases are what there is to say.
static bool only_sequences(const Report& report) {
  return report.cases() == 0 && report.boundary_cases() == 0 &&
         report.result() != Result::incomplete;
}

static void print_operators(std::ostream& out, const Report& report, const Style& style) {
  Table table({{"operator"},
               {"cases", 7},
               {"boundary", 5},
               {"failures", 6},
               {"worst error", 4},
               {"classes", 1},
               {"points", 2},
               {"sides", 3}});
  for (const auto& [op, o] : report.operators) {
    table.add({std::string(ref::signature(op).stem), std::to_string(o.cases),
               std::to_string(o.boundary_cases), std::to_string(o.failures), worst_text(o.worst()),
               share(covered(o.classes)), share(covered_points(o)), share(covered(o.borders))});
  }
  table.print(out, style);
  out << wrapped(
             "boundary: boundary cases; failures: failing checks; worst error: as a fraction of "
             "its bound; classes: case classes; points: coverage points (product, type, rank "
             "and format); sides: boundary sides covered",
             std::min(style.width, kLegend))
      << '\n';
}

void print_table(std::ostream& out, const Report& report, const Style& style) {
  if (!only_sequences(report)) print_operators(out, report, style);
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
  print_kernels(out, report, style);
  for (const auto& [op, o] : report.operators) {
    if (report.promises_transitions())
      print_missing(out, style, op, "life-cycle", covered(o.transitions).missing);
    if (!report.promises_borders()) continue;
    print_missing(out, style, op, "classes", covered(o.classes).missing);
    print_missing(out, style, op, "points", covered_points(o).missing);
    print_missing(out, style, op, "rules", covered(o.borders).missing);
  }
  print_nearest(out, report, style);
  if (const std::string partial = partial_run(report); !partial.empty())
    out << wrapped(partial, style.width) << '\n';
}

/// Cases that were drawn and are not among those of the verdict, with the most frequent reasons.
static void print_left_out(std::ostream& out, const Report& report, const Style& style) {
  constexpr std::size_t kReasons = 3;
  std::map<std::string, std::uint64_t> counts;
  std::uint64_t all = 0, rest = 0;
  for (const auto& [op, o] : report.operators) {
    for (const auto& [why, count] : o.left_out) counts[why] += count, all += count;
  }
  if (all == 0) return;
  std::vector<std::pair<std::uint64_t, std::string>> reasons;
  for (const auto& [why, count] : counts) reasons.emplace_back(count, why);
  std::ranges::stable_sort(reasons, std::greater<>(), [](const auto& one) { return one.first; });
  std::string text = "cases without a check: " + std::to_string(all) + ": ";
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const auto& [count, why] = reasons[i];
    if (i >= kReasons)
      rest += count;
    else
      text += (i > 0 ? "; " : "") + (reasons.size() > 1 ? std::to_string(count) + ": " : "") +
              printable(why);
  }
  if (rest > 0) text += "; " + std::to_string(rest) + ": other reasons, in report.json";
  out << wrapped(text, style.width) << '\n';
}

/// With a slow library a campaign takes longer than its time: the last check is not cut off, and
/// findings are shrunk and repeated after it.
static void print_overtime(std::ostream& out, const Report& report, const Style& style) {
  const double limit = report.question.seconds;
  if (report.question.cases > 0 || limit == 0 || report.slowest.empty() ||
      report.seconds() < 1.5 * limit + 1)
    return;
  const SlowCheck& slowest = report.slowest.front();
  // Findings are shrunk and tried again after the last check.
  const bool by_checks =
      report.failures.empty() || slowest.seconds >= (report.seconds() - limit) / 2;
  const std::string why =
      by_checks ? "the slowest check took " + fixed_digits(slowest.seconds, 1) + " s (" +
                      slowest.property + " of " + std::string(ref::signature(slowest.op).stem) +
                      "); --at-most leaves large tensors out, --timeout ends calls sooner"
                : "shrinking findings and trying them again took the rest; a library or program "
                  "that crashes is started for each try";
  out << wrapped("took " + fixed_digits(report.seconds(), 0) + " s, longer than --seconds: " + why,
                 style.width)
      << '\n';
}

void print_grounds(std::ostream& out, const Report& report, const Style& style) {
  print_left_out(out, report, style);
  print_overtime(out, report, style);
  print_environment(out, report.question.environment);
  print_entries(out, report);
  const std::vector<std::string>& products = report.question.products;  // `run` selects none
  if (!products.empty() && products.size() < static_cast<std::size_t>(ref::kProductCount)) {
    std::string text = "tested as";
    for (const std::string& product : products) text += ' ' + product;
    const std::string& why = report.question.why_products;
    out << wrapped(text + (why.empty() ? " only" : printable(why)), style.width) << '\n';
  }
  if (report.replayed > 0)
    out << "tried again: " << props::counted(report.replayed, "finding") << " of earlier runs\n";
}

std::string verdict(Result result, const Style& style) {
  switch (result) {
    case Result::passed: return style.good("passed");
    case Result::failed: return style.bad("FAILED");
    case Result::incomplete: break;
  }
  return style.unsure("INCOMPLETE");
}

void print_verdict(std::ostream& out, const Report& report, const Style& style) {
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
  print_refuted(out, report);
  for (const std::string& what : report.untested())
    out << "not tested: " << printable(what) << '\n';
  const std::uint64_t known = report.entries.known_findings();
  out << verdict(report.result(), style) << ": "
      << (only_sequences(report) ? props::counted(report.checks(), "check")
                                 : props::counted(report.cases(), "case") + " and " +
                                       props::counted(report.boundary_cases(), "boundary case"))
      << " in " << seconds << ", seed " << report.question.seed << shard << ", "
      << props::counted(report.failed(), "failure") << refuted_text(report)
      << (known > 0 ? ", " + std::to_string(known) + " known" : "")
      << (report.interrupted() ? " (interrupted)\n" : "\n");
}

}  // namespace gradproof::report
