// gradproof exhaust: every configuration of the small scope.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>

#include "props/campaign/checker.h"
#include "props/campaign/progress.h"
#include "props/campaign/shrink.h"
#include "props/cases/case.h"
#include "props/cases/counted.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/generate/small_scope.h"
#include "props/cases/input_error.h"
#include "props/cli/summary.h"

namespace gradproof::cli {
namespace {

constexpr std::size_t kShown = 20;   // kinds of failures that are printed in full
constexpr std::size_t kBatch = 256;  // calls that are sent to the library together

struct Row {
  ref::Operator op{};
  std::uint64_t configurations = 0, legal = 0, refused = 0, failures = 0;
  double seconds = 0;
};

struct Kind {
  campaign::Failure first;  ///< shrunk
  std::uint64_t count = 0;
};

class Exhaustion {
 public:
  Exhaustion(const campaign::Settings& settings, std::int64_t at_most)
      : settings_(settings),
        at_most_(at_most),
        checker_(settings_),
        progress_(settings_.progress, settings_.silent) {}

  const std::vector<ref::Operator>& operators() const { return checker_.operators(); }
  /// False if the library has the operator on none of the products.
  bool run(ref::Operator op, Row& row);
  const std::map<std::string, Kind>& failures() const { return failures_; }
  void clear() { progress_.clear(); }
  /// Whether the user interrupted, or --max-failures is reached.
  bool over() const { return campaign::interrupted() || had_enough(); }
  bool had_enough() const {
    return settings_.max_failures > 0 && failures_.size() >= settings_.max_failures;
  }

 private:
  bool take(const props::ScopeCall& call, Row& row);
  /// Checks the calls in batch_. Returns false to stop.
  bool flush(Row& row);
  bool select_product_of(ref::Operator op, ref::Product& product);

  const campaign::Settings settings_;
  const std::int64_t at_most_;  ///< 0: the whole scope
  campaign::Checker checker_;
  campaign::Progress progress_;
  std::vector<props::ScopeCall> batch_;
  const props::Property& legal_ = *props::find_property("equivalence");
  const props::Property& refused_ = *props::find_property("error-codes");
  std::map<std::string, Kind> failures_;
};

bool Exhaustion::select_product_of(ref::Operator op, ref::Product& product) {
  const std::vector<ref::Product> selected =
      campaign::chosen_products(settings_, {ref::Product::Ascend910B, ref::Product::Ascend910_93,
                                            ref::Product::Ascend910, ref::Product::Ascend310P});
  for (const ref::Product wanted : selected) {
    product = wanted;
    for (const props::CoveragePoint& point : props::coverage_points(op)) {
      if (point.product == wanted) {
        if (checker_.is(wanted)) return true;
        break;
      }
    }
  }
  return false;
}

bool Exhaustion::take(const props::ScopeCall& call, Row& row) {
  const std::vector<const props::Property*> asked = campaign::chosen_properties(settings_);
  const props::Property* property = call.legal ? &legal_ : &refused_;
  if (std::find(asked.begin(), asked.end(), property) == asked.end() ||
      !settings_.selection.takes(call.test))
    return true;
  batch_.push_back(call);
  return batch_.size() < kBatch || flush(row);
}

bool Exhaustion::flush(Row& row) {
  std::vector<props::Check> checks;
  for (const props::ScopeCall& call : batch_)
    checks.push_back({call.legal ? &legal_ : &refused_, &call.test});
  std::vector<props::Answer> answers = checker_.check(checks);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const props::ScopeCall& call = batch_[i];
    // Skipped calls follow crashes or hangs, which are failures already.
    if (answers[i].given_up || (answers[i].verdict.held && !answers[i].verdict.checked)) continue;
    ++(call.legal ? row.legal : row.refused);
    row.configurations += static_cast<std::uint64_t>(call.configurations);
    props::Verdict& verdict = answers[i].verdict;
    if (verdict.held) continue;
    ++row.failures;
    Kind& kind = failures_[std::string(ref::signature(row.op).stem) + ": " + verdict.kind];
    if (++kind.count == 1) {
      kind.first = campaign::shrink(checker_, {checks[i].property, call.test, std::move(verdict)},
                                    std::chrono::seconds(2));
      progress_.clear();
      settings_.announce(campaign::summary(kind.first, settings_));
      if (had_enough()) break;
    }
  }
  batch_.clear();
  if (progress_.due()) {
    progress_.show("exhaust: " + std::string(ref::signature(row.op).stem) + ", " +
                   props::counted(row.configurations, "configuration") + ", " +
                   props::counted(row.legal + row.refused, "call") + ", " +
                   props::counted(row.failures, "failure"));
  }
  return !over();
}

bool Exhaustion::run(ref::Operator op, Row& row) {
  ref::Product product{};
  row.op = op;
  if (!select_product_of(op, product)) return false;
  const auto start = std::chrono::steady_clock::now();
  const props::Scope whole;
  const props::Scope scope = at_most_ > 0 ? whole.at_most(at_most_) : whole;
  props::each_scope_call(op, product, scope,
                         [&](const props::ScopeCall& call) { return take(call, row); });
  flush(row);
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return true;
}

void print(const std::vector<Row>& rows) {
  char line[200];
  std::snprintf(line, sizeof line, "%-32s %15s %9s %9s %9s %8s\n", "operator", "configurations",
                "results", "refusals", "failures", "seconds");
  std::cout << line;
  Row sum;
  for (const Row& row : rows) {
    std::snprintf(line, sizeof line, "%-32s %15llu %9llu %9llu %9llu %8.1f\n",
                  std::string(ref::signature(row.op).stem).c_str(),
                  static_cast<unsigned long long>(row.configurations),
                  static_cast<unsigned long long>(row.legal),
                  static_cast<unsigned long long>(row.refused),
                  static_cast<unsigned long long>(row.failures), row.seconds);
    std::cout << line;
    sum.configurations += row.configurations;
    sum.legal += row.legal;
    sum.refused += row.refused;
    sum.failures += row.failures;
    sum.seconds += row.seconds;
  }
  std::snprintf(line, sizeof line, "%.1f s", sum.seconds);
  std::cout << (sum.failures == 0 ? "passed: " : "FAILED: ")
            << props::counted(sum.configurations, "axis configuration") << " in "
            << props::counted(sum.legal, "result") << " and "
            << props::counted(sum.refused, "refusal") << ", " << line << ", "
            << props::counted(sum.failures, "failure")
            << (campaign::interrupted() ? " (interrupted)\n" : "\n");
}

}  // namespace

int exhaust(const Options& options) {
  campaign::catch_interrupts();
  campaign::Settings asked = live_settings(options);
  asked.selection.at_most = 0;  // limits only what is enumerated; outputs may be larger
  Exhaustion exhaustion(asked, options.at_most);
  std::vector<Row> rows;
  const std::vector<ref::Operator> chosen =
      campaign::chosen_operators(asked, exhaustion.operators());
  std::vector<ref::Operator> untested = campaign::named_operators(asked);
  if (untested.empty()) untested = chosen;
  for (const ref::Operator op : chosen) {
    if (exhaustion.over()) break;
    Row row;
    if (!exhaustion.run(op, row)) continue;
    if (row.legal + row.refused > 0) std::erase(untested, op);
    rows.push_back(row);
  }
  exhaustion.clear();
  if (exhaustion.had_enough()) print_ended(options);

  std::size_t shown = 0;
  for (const auto& [name, kind] : exhaustion.failures()) {
    if (++shown > kShown) break;
    std::cout << campaign::describe(kind.first, asked);
    if (kind.count > 1) std::cout << "(and " << kind.count - 1 << " more of this kind)\n";
    std::cout << '\n';
  }
  if (shown > kShown)
    std::cout << props::counted(exhaustion.failures().size() - kShown, "more kind")
              << " of failures not shown\n\n";
  for (const ref::Operator op : untested) {
    std::cout << "not tested: " << ref::signature(op).stem
              << ": not defined by the given files, not on this product, or not selected\n";
  }
  print(rows);
  if (!exhaustion.failures().empty()) return kFailed;
  return rows.empty() || !untested.empty() ? kNotTested : kPassed;
}

}  // namespace gradproof::cli
