// Merges shards.
#include "props/report/merge.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "props/cases/input_error.h"
#include "props/profiles/finding_kinds.h"

namespace gradproof::report {
namespace {

/// Libraries may have different paths on different machines, but must be the same files.
bool same_files(const std::vector<LibraryFile>& a, const std::vector<LibraryFile>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const LibraryFile& x, const LibraryFile& y) {
                      return x.bytes == y.bytes && x.fingerprint == y.fingerprint;
                    });
}

/// The first difference of two questions; "" if there is none.
std::string difference(const Question& a, const Question& b) {
  if (a.command != b.command) return "command";
  if (a.seed != b.seed) return "seed";
  if (!same_files(a.libraries, b.libraries)) return "library";
  if (a.exec != b.exec) return "process";
  if (a.products != b.products) return "products";
  if (a.operators != b.operators) return "operators";
  if (a.properties != b.properties) return "properties";
  if (a.cases != b.cases) return "number of cases";
  if (a.seconds != b.seconds) return "seconds";
  if (a.threads != b.threads) return "threads";
  if (a.profile != b.profile) return "profile";
  if (a.files != b.files) return "case files";
  if (a.selected_operators != b.selected_operators) return "operators";
  if (a.selected_properties != b.selected_properties) return "properties";
  if (a.selection != b.selection) return "selection";
  if (a.environment != b.environment) return "environment";
  if (a.phase1_only != b.phase1_only) return "phases";
  return "";
}

void add(OperatorReport& to, const OperatorReport& from) {
  to.cases += from.cases;
  for (const auto& [why, count] : from.left_out) to.left_out[why] += count;
  to.boundary_cases += from.boundary_cases;
  to.failures += from.failures;
  if (to.obstacle.empty()) to.obstacle = from.obstacle;
  to.share += from.share;
  for (const auto& [dtype, errors] : from.errors) {
    Distribution& sum = to.errors[dtype];
    if (errors.worst > sum.worst) sum.worst = errors.worst, sum.test.clear();
    if (!errors.test.empty()) sum.name_worst(errors.worst, errors.test);
    for (std::size_t i = 0; i < sum.bins.size(); ++i) sum.bins[i] += errors.bins[i];
  }
  for (const auto& [label, count] : from.classes) to.classes[label] += count;
  for (const auto& [kernel, runs] : from.kernels) {
    auto& sum = to.kernels[kernel];
    for (const auto& [how, count] : runs) sum[how] += count;
  }
  for (const auto& [point, count] : from.points) to.points[point] += count;
  to.declined.insert(from.declined.begin(), from.declined.end());
  for (const auto& [border, count] : from.borders) to.borders[border] += count;
  for (const auto& [transition, count] : from.transitions) to.transitions[transition] += count;
  for (const RuleCount& rule : from.rules) {
    RuleCount& sum = to.rule(rule.rule);
    for (const auto& [where, sides] : rule.arguments) {
      sum.arguments[where].broken += sides.broken;
      sum.arguments[where].kept += sides.kept;
    }
  }
  for (const auto& [name, count] : from.properties) {
    PropertyCount& sum = to.properties[name];
    sum.runs += count.runs;
    sum.failed += count.failed;
    sum.seconds += count.seconds;
    sum.not_checked += count.not_checked;
    if (sum.why.empty()) sum.why = count.why;
  }
}

bool has_all(const std::vector<std::string>& of, const std::vector<std::string>& wanted) {
  return std::includes(of.begin(), of.end(), wanted.begin(), wanted.end());
}

/// Whether they are one defect, whatever their cases need.
bool same_symptom(const Failure& a, const Failure& b) {
  return !a.symptom.empty() && a.symptom == b.symptom && a.property == b.property &&
         a.look == b.look && !(a.kind == b.kind && profiles::is_of_each_kernel(a.kind));
}

/// One entry per cause. Findings of one kind are joined if what one needs includes what the other
/// needs, or if they have one symptom; the first case of the campaign is kept.
std::vector<Failure> joined(std::vector<Failure> failures) {
  std::sort(failures.begin(), failures.end(), [](const Failure& a, const Failure& b) {
    return std::tuple(a.needed.size(), a.number, a.op, a.property, a.test) <
           std::tuple(b.needed.size(), b.number, b.op, b.property, b.test);
  });
  std::vector<Failure> causes;
  for (Failure& from : failures) {
    const auto same = std::find_if(causes.begin(), causes.end(), [&](const Failure& f) {
      return same_symptom(f, from) ||
             (f.op == from.op && f.property == from.property && f.kind == from.kind &&
              f.look == from.look && has_all(from.needed, f.needed));
    });
    if (same == causes.end()) {
      causes.push_back(std::move(from));
      continue;
    }
    std::vector<std::string> needed = std::move(same->needed), named = std::move(same->in_common);
    if (from.number < same->number) std::swap(from, *same);
    same->needed = std::move(needed);
    same->in_common = std::move(named);
    same->add(from.op, from.property, from.count);
    for (const AlsoFailed& other : from.also) same->add(other.op, other.property, other.count);
  }
  return causes;
}

void check_parts(const Report& merged, const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < merged.parts.size(); ++i) {
    if (merged.parts[i].interrupted) {
      throw props::InputError(paths[i] + ": shard " + std::to_string(merged.parts[i].shard) +
                              " was interrupted; run it again, or merge with --partial");
    }
  }
  std::string missing;
  for (int shard = 1; shard <= merged.shards; ++shard) {
    const bool there = std::any_of(merged.parts.begin(), merged.parts.end(),
                                   [&](const Part& p) { return p.shard == shard; });
    if (!there) missing += " " + std::to_string(shard);
  }
  if (missing.empty()) return;
  throw props::InputError(paths.front() + " is one of " + std::to_string(merged.shards) +
                          " shards, of which are missing:" + missing +
                          "; run these, or merge with --partial");
}

}  // namespace

Report merge(const std::vector<NamedReport>& shards, bool partial) {
  Report merged;
  std::vector<std::string> paths;  // by part
  for (const NamedReport& shard : shards) {
    const Report& from = shard.report;
    const NamedReport& first = shards.front();
    if (&shard == &first) {
      merged.question = from.question;
      merged.shards = from.shards;
    }
    const std::string differs = from.shards != first.report.shards
                                    ? "number of shards"
                                    : difference(first.report.question, from.question);
    if (!differs.empty()) {
      throw props::InputError(shard.path + ": from another campaign than " + first.path +
                              ": different " + differs);
    }
    for (const Part& part : from.parts) {
      const auto same = std::find_if(merged.parts.begin(), merged.parts.end(),
                                     [&](const Part& p) { return p.shard == part.shard; });
      if (same != merged.parts.end()) {
        throw props::InputError(shard.path + ": shard " + std::to_string(part.shard) +
                                " is also in " +
                                paths[static_cast<std::size_t>(same - merged.parts.begin())]);
      }
      merged.parts.push_back(part);
      paths.push_back(shard.path);
    }
    merged.replayed += from.replayed;
    for (const auto& [op, counts] : from.operators) add(merged.operators[op], counts);
    merged.failures.insert(merged.failures.end(), from.failures.begin(), from.failures.end());
    add(merged.entries, from.entries);
    for (const SlowCheck& check : from.slowest) merged.add_slow(check);
    merged.files.insert(merged.files.end(), from.files.begin(), from.files.end());
  }
  if (!partial) check_parts(merged, paths);
  std::sort(merged.parts.begin(), merged.parts.end(),
            [](const Part& a, const Part& b) { return a.shard < b.shard; });
  merged.failures = joined(std::move(merged.failures));
  merged.sort_failures();
  return merged;
}

Report as_one_part(Report merged, int index, int count) {
  Part one = merged.parts.front();
  one.shard = index;
  one.cases = merged.cases();
  one.failures = merged.failed();
  for (const Part& part : merged.parts) {
    one.started = std::min(one.started, part.started);
    one.seconds = std::max(one.seconds, part.seconds);
    one.interrupted = one.interrupted || part.interrupted;
    one.swept = one.swept && part.swept;
  }
  one.swept = one.swept && static_cast<int>(merged.parts.size()) * count == merged.shards;
  merged.parts = {one};
  merged.shards = count;
  return merged;
}

}  // namespace gradproof::report
