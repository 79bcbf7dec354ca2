// Counts what a run did not test, in one sentence.
#include "props/report/partial.h"

#include <algorithm>
#include <string_view>

#include "props/cases/listed.h"
#include "props/report/table.h"

namespace gradproof::report {
namespace {

/// Things that were not tested, and how many they are.
class Sentence {
 public:
  void add(std::size_t count, std::string words) {
    if (count == 0) return;
    all_ += count;
    parts_.push_back(std::move(words));
  }

  /// "12 of 320 coverage points"
  void add(std::size_t count, std::size_t of, const char* things) {
    add(count, std::to_string(count) + " of " + std::to_string(of) + " " + things);
  }

  /// "1 property (adjoint)", "11 properties (5 of them not promised by the library)"
  void add(const std::vector<std::string>& properties, std::size_t unpromised) {
    const std::size_t count = properties.size();
    if (count == 1) {
      add(1, "1 property (" + properties.front() +
                 (unpromised == 1 ? ", not promised by the library)" : ")"));
    } else if (unpromised == count) {
      add(count, std::to_string(count) + " properties that the library does not promise");
    } else {
      add(count, std::to_string(count) + " properties" +
                     (unpromised == 0 ? ""
                                      : " (" + std::to_string(unpromised) +
                                            " of them not promised by the library)"));
    }
  }

  std::string text() const {
    if (parts_.empty()) return "";
    std::string list;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      list += (i == 0 ? "" : i + 1 == parts_.size() ? " and " : ", ") + parts_[i];
    return "partial run: " + list + (all_ == 1 ? " was" : " were") + " not tested";
  }

 private:
  std::size_t all_ = 0;
  std::vector<std::string> parts_;
};

/// Whether it was known before any check of the property that the library does not promise it.
bool is_unpromised(const Report& report, const std::string& property) {
  return std::ranges::any_of(report.operators, [&](const auto& entry) {
    const auto count = entry.second.properties.find(property);
    return count != entry.second.properties.end() && count->second.not_checked == 0 &&
           count->second.why.starts_with("not promised");
  });
}

}  // namespace

std::vector<std::string> other_operators(const Report& report) {
  std::vector<std::string> others;
  if (!report.question.selected_operators.empty()) return others;
  const std::vector<std::string>& tested = report.question.operators;
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const std::string stem(ref::signature(static_cast<ref::Operator>(i)).stem);
    if (std::find(tested.begin(), tested.end(), stem) == tested.end()) others.push_back(stem);
  }
  return others;
}

std::string partial_run(const Report& report) {
  Covered classes, points, sides;
  for (const auto& [op, o] : report.operators) {
    for (const auto& [of_operator, sum] :
         {std::pair(covered(o.classes), &classes), std::pair(covered_points(o), &points),
          std::pair(covered(o.borders), &sides)}) {
      sum->covered += of_operator.covered;
      sum->all += of_operator.all;
    }
  }
  Sentence sentence;
  if (!report.promises_borders()) {
    sentence.add(classes.all - classes.covered, classes.all, "case classes");
    sentence.add(points.all - points.covered, points.all, "coverage points");
    sentence.add(sides.all - sides.covered, sides.all, "boundary sides");
  }
  const std::vector<std::string> others = other_operators(report);
  sentence.add(others.size(),
               others.size() == 1 ? others.front() : std::to_string(others.size()) + " operators");
  const std::vector<std::string> idle = report.idle_properties();
  sentence.add(idle, static_cast<std::size_t>(std::ranges::count_if(
                         idle, [&](const auto& name) { return is_unpromised(report, name); })));
  if (report.question.phase1_only) sentence.add(1, "phase 2");
  return sentence.text();
}

std::vector<std::string> untested_names(const Report& report) {
  const auto joined = [](const std::vector<std::string>& names) {
    return props::listed({names.begin(), names.end()});
  };
  std::vector<std::string> sentences;
  for (const auto& [op, o] : report.operators) {
    const std::vector<std::string> missing = covered(o.classes).missing;
    if (!missing.empty() && !report.promises_borders())
      sentences.push_back("classes of " + std::string(ref::signature(op).stem) +
                          " that were not tested: " + joined(missing));
  }
  if (const std::vector<std::string> idle = report.idle_properties(); !idle.empty())
    sentences.push_back("properties that were not tested: " + joined(idle));
  return sentences;
}

}  // namespace gradproof::report
