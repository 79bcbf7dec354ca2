// Counts and results of a report.
#include "props/report/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "props/profiles/use.h"

namespace gradproof::report {

void Distribution::add(double fraction, bool within) {
  if (std::min(fraction, kLargestShown) > worst) test.clear();
  worst = std::max(worst, std::min(fraction, kLargestShown));
  const auto bin = static_cast<std::size_t>(std::ceil(std::min(fraction, 1.0) * kSteps));
  ++bins[within ? std::min<std::size_t>(bin, kSteps) : bins.size() - 1];
}

void Distribution::name_worst(double fraction, const std::string& of_case) {
  if (std::min(fraction, kLargestShown) != worst || worst == 0) return;
  if (test.empty() || of_case < test) test = of_case;
}

std::string worst_text(double worst) {
  if (worst >= Distribution::kLargestShown) return "> 1e6";
  char text[32];
  std::snprintf(text, sizeof text, worst < 100 ? "%.4f" : "%.0f", worst);
  return text;
}

Sides RuleCount::total() const {
  Sides sum;
  for (const auto& [where, sides] : arguments) {
    sum.broken += sides.broken;
    sum.kept += sides.kept;
  }
  return sum;
}

double OperatorReport::worst() const {
  double worst = 0;
  for (const auto& [dtype, errors_of_type] : errors) worst = std::max(worst, errors_of_type.worst);
  return worst;
}

RuleCount& OperatorReport::rule(std::string_view id) {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const RuleCount& r) { return r.rule == id; });
  return found != rules.end() ? *found : rules.emplace_back(RuleCount{std::string(id), {}});
}

std::string Failure::remarks() const {
  std::string lines;
  for (const std::string& hint : hints) lines += hint + '\n';
  return lines + (shrunk ? "" : "(not shrunk: the time for shrinking was used up)\n");
}

namespace {

template <class Count>
std::uint64_t sum(const Report& report, const Count& count) {
  std::uint64_t total = 0;
  for (const auto& [op, of_operator] : report.operators) total += count(of_operator);
  return total;
}

}  // namespace

std::uint64_t Report::cases() const {
  return sum(*this, [](const OperatorReport& o) { return o.cases; });
}

std::uint64_t Report::boundary_cases() const {
  return sum(*this, [](const OperatorReport& o) { return o.boundary_cases; });
}

std::uint64_t Report::checks() const {
  return sum(*this, [](const OperatorReport& o) {
    std::uint64_t runs = 0;
    for (const auto& [name, property] : o.properties) runs += property.runs;
    return runs;
  });
}

std::uint64_t Report::failed() const {
  return sum(*this, [](const OperatorReport& o) { return o.failures; });
}

std::uint64_t Report::skipped() const {
  return sum(*this, [&](const OperatorReport& o) {
    std::uint64_t checks = 0;
    for (const std::string& name : question.properties) {
      const auto count = o.properties.find(name);
      if (count != o.properties.end()) checks += count->second.not_checked;
    }
    return checks;
  });
}

bool Report::interrupted() const {
  return std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.interrupted; });
}

namespace {

/// Whether the campaign swept the whole contract with that property.
bool swept_for(const Report& report, std::string_view property) {
  const auto& asked = report.question.properties;
  return static_cast<int>(report.parts.size()) == report.shards &&
         std::all_of(report.parts.begin(), report.parts.end(),
                     [](const Part& part) { return part.swept; }) &&
         std::find(asked.begin(), asked.end(), property) != asked.end();
}

}  // namespace

bool Report::promises_borders() const { return swept_for(*this, "error-codes"); }
bool Report::promises_transitions() const { return swept_for(*this, "life-cycle"); }

std::uint64_t Report::uncovered() const {
  std::uint64_t count = 0;
  const bool borders = promises_borders(), transitions = promises_transitions();
  const auto zeros = [](const std::map<std::string, std::uint64_t>& counts) {
    return static_cast<std::uint64_t>(std::count_if(
        counts.begin(), counts.end(), [](const auto& entry) { return entry.second == 0; }));
  };
  for (const auto& [op, o] : operators) {
    count += borders ? zeros(o.borders) : 0;
    count += transitions ? zeros(o.transitions) : 0;
  }
  return count;
}

std::string_view name(Result result) {
  return result == Result::passed ? "passed" : result == Result::failed ? "failed" : "incomplete";
}

namespace {

std::uint64_t checks_of(const Report& report, const std::string& stem) {
  std::uint64_t count = 0;
  for (const auto& [op, o] : report.operators) {
    if (ref::signature(op).stem != stem) continue;
    for (const auto& [name, property] : o.properties) count += property.runs;
  }
  return count;
}

/// Whether the kernel declined each case that was drawn: what was checked then are calls that
/// properties derived from them, and those say nothing about the cases.
bool declined_all(const Report& report, const std::string& stem) {
  bool some = false;
  for (const auto& [op, o] : report.operators) {
    if (ref::signature(op).stem != stem) continue;
    if (o.cases > 0) return false;
    some = some || std::any_of(o.left_out.begin(), o.left_out.end(), [](const auto& reason) {
             return reason.first.starts_with(profiles::kDeclined);
           });
  }
  return some;
}

std::string why_no_check(const Report& report, const std::string& stem) {
  for (const auto& [op, o] : report.operators) {
    if (ref::signature(op).stem == stem && !o.obstacle.empty()) return o.obstacle;
  }
  return declined_all(report, stem) ? "the kernel supports none of the calls that were drawn"
                                    : "no check ran";
}

void add_untested_properties(const Report& report, std::vector<std::string>& found) {
  for (const std::string& name : report.question.selected_properties) {
    std::uint64_t runs = 0;
    std::string why;
    for (const auto& [op, o] : report.operators) {
      const auto count = o.properties.find(name);
      if (count == o.properties.end()) continue;
      runs += count->second.runs;
      if (why.empty()) why = count->second.why;
    }
    if (runs == 0) found.push_back(name + ": " + (why.empty() ? "no applicable case" : why));
  }
}

}  // namespace

std::vector<std::string> Report::untested_of_run() const {
  std::vector<std::string> found;
  for (const FileCount& file : files) {
    if (file.cases == 0) found.push_back(file.file + ": none of its cases could be checked");
    found.insert(found.end(), file.untested.begin(), file.untested.end());
  }
  for (const std::string& stem : question.selected_operators) {
    if (checks_of(*this, stem) == 0) found.push_back(stem + ": no check ran");
  }
  add_untested_properties(*this, found);
  return found;
}

std::vector<std::string> Report::untested() const {
  std::vector<std::string> found;
  const auto defined = [&](const std::string& stem) {
    return std::any_of(question.providers.begin(), question.providers.end(), [&](const auto& p) {
      return std::find(p.operators.begin(), p.operators.end(), stem) != p.operators.end();
    });
  };
  for (const std::string& stem :
       question.selected_operators.empty() ? question.operators : question.selected_operators) {
    if (checks_of(*this, stem) == 0 || declined_all(*this, stem))
      found.push_back(
          stem + ": " +
          (defined(stem) ? why_no_check(*this, stem) : "not defined by the given files"));
  }
  add_untested_properties(*this, found);
  if (found.empty() && checks() == 0) {
    const bool none = question.operators.empty() && !question.selection.empty();
    std::string defined_ones;
    for (const Provider& p : question.providers) {
      for (const std::string& stem : p.operators)
        defined_ones += (defined_ones.empty() ? "; they define " : ", ") + stem;
    }
    found.emplace_back(none ? "the given files define no operator with" + question.selection +
                                  defined_ones
                            : "nothing was tested");
  }
  return found;
}

std::vector<std::string> Report::idle_properties() const {
  std::vector<std::string> found;
  for (const std::string& name : question.properties) {
    const bool ran = std::any_of(operators.begin(), operators.end(), [&](const auto& entry) {
      const auto count = entry.second.properties.find(name);
      return count != entry.second.properties.end() && count->second.runs > 0;
    });
    const std::vector<std::string>& named = question.selected_properties;
    if (!ran && std::find(named.begin(), named.end(), name) == named.end()) found.push_back(name);
  }
  return found;
}

Result Report::result() const {
  if (failed() > 0 || entries.refuted() > 0) return Result::failed;
  if (interrupted()) return Result::incomplete;
  const bool left = question.command == "run" ? !untested_of_run().empty()
                                              : uncovered() > 0 || !untested().empty();
  return left ? Result::incomplete : Result::passed;
}

double Report::seconds() const {
  double longest = 0;
  for (const Part& part : parts) longest = std::max(longest, part.seconds);
  return longest;
}

void Report::add_slow(SlowCheck check) {
  const auto slower = [](const SlowCheck& a, const SlowCheck& b) { return a.seconds > b.seconds; };
  slowest.insert(std::upper_bound(slowest.begin(), slowest.end(), check, slower), std::move(check));
  if (slowest.size() > kSlowest) slowest.pop_back();
}

Part& only_part(Report& report) {
  if (report.parts.empty()) report.parts.emplace_back();
  return report.parts.front();
}

}  // namespace gradproof::report
