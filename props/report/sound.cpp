// Checks the counts of a report.
#include "props/report/sound.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "props/cases/input_error.h"

namespace gradproof::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCounts[] = {
    "cases",   "boundary_cases", "checks",  "failures",    "kinds",    "shard", "shards",
    "bytes",   "count",          "number",  "broken",      "kept",     "runs",  "failed",
    "skipped", "seed",           "threads", "not_checked", "replayed", "met",   "contradicted",
    "unused",  "not_supported"};
constexpr std::string_view kOfAKernel = "of a kernel";  // each member of `kernels`
constexpr std::string_view kGroupsOfCounts[] = {"bins",        "classes",  "cells",    "borders",
                                                "transitions", "declined", "left_out", kOfAKernel};
constexpr std::string_view kMeasures[] = {"seconds", "share", "worst", "worst_error"};

template <std::size_t N>
bool among(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

void walk(const Json& json, const std::string& path, std::string_view name, bool counts) {
  if (json.is_structured()) {
    const bool all = among(kGroupsOfCounts, name);
    for (const auto& [key, value] : json.items()) {
      const bool listed = json.is_array();
      const std::string place =
          listed ? path + "[" + key + "]" : path + (path.empty() ? "" : ".") + key;
      const std::string_view member = listed              ? std::string_view()
                                      : name == "kernels" ? kOfAKernel
                                                          : std::string_view(key);
      walk(value, place, member, all || (!listed && among(kCounts, key)));
    }
  } else if (counts && !json.is_number_unsigned()) {
    throw props::InputError(path + ": " + json.dump() + " is not a count");
  } else if (among(kMeasures, name) && !(json.is_number() && json.get<double>() >= 0)) {
    throw props::InputError(path + ": " + json.dump() + " is not a non-negative number");
  }
}

/// "FIELD: 5, but BUT 4", unless `possible`.
void demand(bool possible, const std::string& member, std::uint64_t claimed, const std::string& but,
            std::uint64_t other) {
  if (possible) return;
  throw props::InputError(member + ": " + std::to_string(claimed) + ", but " + but + " " +
                          std::to_string(other));
}

void demand_same(const std::string& member, std::uint64_t claimed, const std::string& but,
                 std::uint64_t other) {
  demand(claimed == other, member, claimed, but, other);
}

void demand_at_most(const std::string& member, std::uint64_t claimed, const std::string& but,
                    std::uint64_t most) {
  demand(claimed <= most, member, claimed, but, most);
}

/// Number of failing checks of the property in all findings.
std::uint64_t found(const Report& report, ref::Operator op, const std::string& property) {
  std::uint64_t count = 0;
  for (const Failure& f : report.failures) {
    if (f.op == op && f.property == property) count += f.count;
    for (const AlsoFailed& other : f.also) {
      if (other.op == op && other.property == property) count += other.count;
    }
  }
  return count;
}

void demand_sums_of(const Report& report, ref::Operator op, const OperatorReport& o) {
  const std::string here = "operators." + std::string(ref::signature(op).stem);
  std::uint64_t failures = 0, compared = 0;
  for (const auto& [name, count] : o.properties) {
    const std::string property = here + ".properties." + name;
    demand_at_most(property + ".failed", count.failed, "its runs are", count.runs);
    demand_same(property + ".failed", count.failed, "its findings add up to",
                found(report, op, name));
    failures += count.failed;
  }
  demand_same(here + ".failures", o.failures, "the failures of its properties add up to", failures);
  for (const auto& [dtype, errors] : o.errors)
    compared = std::accumulate(errors.bins.begin(), errors.bins.end(), compared);
  const auto equivalence = o.properties.find("equivalence");
  demand_at_most(here + ".errors", compared, "the runs of equivalence are",
                 equivalence == o.properties.end() ? 0 : equivalence->second.runs);
  for (const auto& [point, count] : o.points)
    demand_at_most(here + ".cells." + point, count, "its cases are", o.cases);
}

/// Case j of operator o of n has the number j·n + o; the shard takes j = shard − 1, shard − 1 +
/// shards, … as long as the number is below `cases`.
std::uint64_t share(std::uint64_t cases, std::uint64_t shard, std::uint64_t shards,
                    std::uint64_t operators) {
  std::uint64_t sum = 0;
  for (std::uint64_t o = 0; o < std::min(operators, cases); ++o) {
    const std::uint64_t steps = (cases - o + operators - 1) / operators;  // of all shards
    sum += steps < shard ? 0 : (steps - shard) / shards + 1;
  }
  return sum;
}

void demand_sums_of_parts(const Report& report) {
  std::uint64_t cases = 0, failures = 0;
  for (const Part& part : report.parts) {
    const std::string here = "parts: shard " + std::to_string(part.shard);
    if (part.shard < 1 || part.shard > report.shards)
      throw props::InputError(here + " of " + std::to_string(report.shards));
    if (report.question.cases > 0) {
      demand_at_most(
          here + ": cases", part.cases, "its share of the requested cases is",
          share(report.question.cases, static_cast<std::uint64_t>(part.shard),
                static_cast<std::uint64_t>(report.shards), report.question.operators.size()));
    }
    cases += part.cases;
    failures += part.failures;
  }
  demand_same("parts: cases", cases, "the operators add up to", report.cases());
  demand_same("parts: failures", failures, "the operators add up to", report.failed());
}

}  // namespace

void demand_counts(const Json& json) { walk(json, "", "", false); }

void demand_sums(const Report& report) {
  demand_sums_of_parts(report);
  for (const auto& [op, o] : report.operators) demand_sums_of(report, op, o);
  for (std::size_t i = 0; i < report.failures.size(); ++i) {
    const auto demand_counted = [&](ref::Operator op, const std::string& property,
                                    std::uint64_t checks) {
      const auto o = report.operators.find(op);
      if (checks == 0 || (o != report.operators.end() && o->second.properties.contains(property)))
        return;
      throw props::InputError("failures[" + std::to_string(i) + "]: no count of checks for " +
                              property + " of " + std::string(ref::signature(op).stem));
    };
    const Failure& f = report.failures[i];
    demand_counted(f.op, f.property, f.count);
    for (const AlsoFailed& other : f.also) demand_counted(other.op, other.property, other.count);
  }
  for (const FileCount& file : report.files)
    demand_at_most("files: " + file.file + ": failed", file.failed, "its cases are", file.cases);
}

void demand_totals(const Report& report, const Json& totals) {
  const std::pair<const char*, std::uint64_t> sums[] = {{"cases", report.cases()},
                                                        {"boundary_cases", report.boundary_cases()},
                                                        {"checks", report.checks()},
                                                        {"failures", report.failed()},
                                                        {"kinds", report.failures.size()}};
  for (const auto& [name, sum] : sums)
    demand_same(std::string("totals.") + name, totals.at(name), "the entries add up to", sum);
}

}  // namespace gradproof::report
