// Findings: their order, counts and texts.
#include "props/report/findings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "props/cases/counted.h"
#include "props/judge/compare.h"
#include "props/profiles/finding_kinds.h"

namespace gradproof::report {

std::uint64_t Failure::total() const {
  std::uint64_t sum = count;
  for (const AlsoFailed& other : also) sum += other.count;
  return sum;
}

void Failure::add(ref::Operator of, const std::string& of_property, std::uint64_t checks) {
  if (of == op && of_property == property) {
    count += checks;
    return;
  }
  const auto same = std::find_if(also.begin(), also.end(), [&](const AlsoFailed& other) {
    return other.op == of && other.property == of_property;
  });
  if (same != also.end())
    same->count += checks;
  else
    also.push_back({of, of_property, checks});
}

bool Failure::take_one(ref::Operator of, const std::string& of_property) {
  if (of == op && of_property == property) {
    if (count < 2) return false;
    --count;
    return true;
  }
  for (AlsoFailed& other : also) {
    if (other.op != of || other.property != of_property) continue;
    if (--other.count == 0) also.erase(also.begin() + (&other - also.data()));
    return true;
  }
  return false;
}

void Report::sort_failures() {
  std::stable_sort(failures.begin(), failures.end(), [](const Failure& a, const Failure& b) {
    // What a kernel keeps between calls may be the cause of any other failure.
    const auto rank = [](const Failure& f) {
      return std::tuple(profiles::gravity_of(f.kind), f.look != props::kEarlierCall, f.number, f.op,
                        f.property);
    };
    return rank(a) < rank(b);
  });
}

std::string headline(const Failure& f) {
  return std::string(name(profiles::gravity_of(f.kind))) + ": " +
         std::string(ref::signature(f.op).stem) + ", " + f.property + ", " + sort_of(f);
}

std::string sort_of(const Failure& f) { return f.kind + (f.look.empty() ? "" : ", " + f.look); }

std::string extent_of(const Failure& f) {
  if (f.total() < 2) return "";
  std::string text = props::counted(f.total(), "failing check");
  for (std::size_t i = 0; i < f.in_common.size(); ++i)
    text += (i == 0 ? " with " : ", ") + f.in_common[i];
  if (!f.also.empty()) {
    // None of the finding's own: its case came from checks of the others.
    const char* before = " (";
    if (f.count > 0) text += before + std::to_string(f.count) + " of " + f.property, before = ", ";
    for (const AlsoFailed& other : f.also) {
      text += before + std::to_string(other.count) + " of " + other.property;
      if (other.op != f.op) text += " of " + std::string(ref::signature(other.op).stem);
      before = ", ";
    }
    text += ")";
  }
  return text;
}

namespace {

/// A feature that a larger share of the cases has says nothing about the cause.
constexpr double kUsual = 0.8;
/// Nor does a feature that as many cases as failed share by chance with a larger probability.
constexpr double kByChance = 0.05;

/// Share of the operator's valid cases that have the feature; 0 of one that is not counted. With
/// one more case that has it: a few cases prove little, and before the first one all is usual.
double share(const OperatorReport& o, const std::string& feature) {
  std::uint64_t count = 0;
  bool counted = false;
  if (const auto label = o.classes.find(feature); label != o.classes.end()) {
    count = label->second;
    counted = true;
  } else {
    for (const auto& [point, cases] : o.points) {
      if ((' ' + point + ' ').find(' ' + feature + ' ') == std::string::npos) continue;
      count += cases;
      counted = true;
    }
  }
  return counted ? static_cast<double>(count + 1) / static_cast<double>(o.cases + 1) : 0;
}

}  // namespace

std::vector<std::string> telling(const OperatorReport& o, const std::set<std::string>& features,
                                 std::uint64_t failing) {
  std::vector<std::string> left;
  std::copy_if(features.begin(), features.end(), std::back_inserter(left),
               [&](const std::string& feature) {
                 const double of_all = share(o, feature);
                 return of_all < kUsual && std::pow(of_all, failing) < kByChance;
               });
  return left;
}

}  // namespace gradproof::report
