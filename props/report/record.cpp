// Counts what a campaign covers.
#include "props/report/record.h"

#include "props/cases/describe/classes.h"
#include "props/cases/describe/coverage_points.h"
#include "props/cases/hash.h"
#include "props/cases/mutate/mutations.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "ref/element.h"
#include "ref/rules.h"

namespace gradproof::report {
namespace {

/// False for rules without a boundary: any valid call is on their kept side.
bool has_border(std::string_view rule) {
  return rule != "null-argument" && rule != "platform" && rule != "dtype" && rule != "format" &&
         rule != "rank";
}

/// Of those that were expected: a selection leaves the others out.
void count(std::map<std::string, std::uint64_t>& expected, const std::string& name) {
  if (const auto at = expected.find(name); at != expected.end()) ++at->second;
}

std::string pair_name(const std::string& first, const std::string& second) {
  return first + " before " + second;
}

}  // namespace

std::string point_name(const props::CoveragePoint& point) {
  return std::string(ref::name(point.product)) + " " + ref::dtype_name(point.dtype) + " rank " +
         std::to_string(point.rank) + " " + ref::format_name(point.format);
}

void Recorder::expect(ref::Operator op, const std::vector<ref::Product>& products) {
  OperatorReport& o = report_.operators[op];
  for (const std::string& label : props::all_classes(op, products)) o.classes[label];
  for (const props::CoveragePoint& point : props::coverage_points(op)) {
    if (std::find(products.begin(), products.end(), point.product) != products.end())
      o.points[point_name(point)];
  }
  for (const ref::Rule& rule : ref::rules()) {
    if (!rule.applies(op)) continue;
    o.rule(rule.id);
    const bool everywhere = std::none_of(products.begin(), products.end(),
                                         [&](ref::Product p) { return props::lacks(op, p); });
    if (rule.id != "null-argument" && (rule.id != "platform" || !everywhere))
      o.borders[pair_name("null-argument", std::string(rule.id))];
  }
  for (const ref::Product product : products) {
    for (const props::BoundarySide& side : props::boundary_sides(op, product))
      o.borders[props::to_text(side)];
  }
}

void Recorder::leave_out(ref::Operator op, const std::set<std::string>& names) {
  OperatorReport& o = report_.operators[op];
  for (std::map<std::string, std::uint64_t>* counts : {&o.classes, &o.points, &o.borders})
    std::erase_if(*counts, [&](const auto& one) { return names.contains(one.first); });
}

void Recorder::leave_out_refusals(ref::Operator op, const std::vector<ref::Product>& products,
                                  std::string_view rule) {
  for (const ref::Product product : products) {
    for (const props::BoundarySide& side : props::boundary_sides(op, product)) {
      if (side.broken && side.rule == rule)
        report_.operators[op].borders.erase(props::to_text(side));
    }
  }
}

void Recorder::leave_out_validation(ref::Operator op) {
  OperatorReport& o = report_.operators[op];
  o.borders.clear();
  std::erase_if(o.classes, [](const auto& label) {
    return label.first.starts_with("misuse-") || label.first == "self-null-data" ||
           label.first == "indices-one_bad";
  });
}

void Recorder::no_case(ref::Operator op, const std::string& why) {
  report_.operators[op].obstacle = why;
}

void Recorder::no_check(ref::Operator op, std::string_view property, const std::string& why) {
  report_.operators[op].properties[std::string(property)].why = why;
}

void Recorder::saw_valid(const props::Case& c, const props::CoveragePoint& point) {
  OperatorReport& o = of(c);
  ++o.cases;
  for (const std::string& label : props::classes(c)) count(o.classes, label);
  count(o.points, point_name(point));
  for (const props::BoundarySide& border : props::sides_of_valid(c.call))
    count(o.borders, props::to_text(border));
  const std::string product(ref::name(c.call.product));
  for (RuleCount& rule : o.rules) {
    if (!has_border(rule.rule)) ++rule.arguments[{product, "any"}].kept;
  }
}

void Recorder::saw(const props::Case& c) {
  OperatorReport& o = of(c);
  ++o.cases;
  const ref::Expectation expected = ref::expect(c.call);
  if (expected.rule == nullptr) {
    for (const std::string& label : props::classes(c)) ++o.classes[label];
  } else {
    ++o.rule(expected.rule->id)
          .arguments[{std::string(ref::name(c.call.product)), expected.violation.argument}]
          .broken;
  }
}

void Recorder::left_out(ref::Operator op, const std::string& why) {
  count_reason(report_.operators[op].left_out, why.substr(0, why.find('\n')));
}

void Recorder::declined(ref::Operator op, const props::CoveragePoint& point) {
  report_.operators[op].declined.insert(point_name(point));
}

void Recorder::saw_misuse(const props::Case& c) {
  std::map<std::string, std::uint64_t>& classes = of(c).classes;
  for (const std::string& label : props::classes(c)) {
    if (label.starts_with("misuse-"))
      ++classes[label];  // no_misuse may have left it out, for another case
    else
      count(classes, label);
  }
}

void Recorder::no_misuse(const props::Case& c) {
  auto& counts = of(c).classes;
  const auto label = counts.find("misuse-" + std::string(props::name(c.misuse)));
  if (label != counts.end() && label->second == 0) counts.erase(label);
}

void Recorder::expect_kernels(ref::Operator op, const std::vector<std::string>& kernels) {
  for (const std::string& kernel : kernels) report_.operators[op].kernels[kernel];
}

void Recorder::saw_kernels(const props::KernelUses& uses) {
  for (const auto& [use, runs] : uses) {
    // A gradient's checks run its forward too, which may not have been selected.
    if (!report_.operators.contains(use.op)) continue;
    const std::string how = std::string(ref::dtype_name(use.dtype)) + ' ' + use.instruction_set +
                            (use.compared ? std::string(kCompared) : "");
    report_.operators[use.op].kernels[use.kernel][how] += runs;
  }
}

void Recorder::expect_transitions(ref::Operator op, const std::vector<std::string>& required) {
  for (const std::string& name : required) report_.operators[op].transitions[name];
}

void Recorder::saw_transitions(ref::Operator op, const std::vector<std::string>& seen) {
  for (const std::string& name : seen) count(report_.operators[op].transitions, name);
}

void Recorder::saw_boundary_case(const props::Mutation& mutation, bool judged) {
  OperatorReport& o = of(mutation.mutated);
  ++o.boundary_cases;
  if (!judged) return;
  count(o.borders, props::to_text(props::side_of(mutation)));
  Sides& sides =
      o.rule(mutation.rule)
          .arguments[{std::string(ref::name(mutation.mutated.call.product)), mutation.argument}];
  ++(mutation.breaks ? sides.broken : sides.kept);
}

void Recorder::saw_pair(const props::Case& c, const std::string& first, const std::string& second,
                        bool judged) {
  OperatorReport& o = of(c);
  ++o.boundary_cases;
  if (judged) count(o.borders, pair_name(first, second));
}

void Recorder::checked(const props::Case& c, const Check& check) {
  OperatorReport& o = of(c);
  PropertyCount& count = o.properties[std::string(check.property)];
  ++count.runs;
  count.seconds += check.seconds;
  if (!check.held) {
    ++count.failed;
    ++o.failures;
  }
  // A check that failed before values were compared has no error to count.
  if (check.judges_values && (check.held || check.kind == "values")) {
    Distribution& errors = o.errors[ref::dtype_name(c.call.tensors.front().dtype)];
    errors.add(check.worst, check.held);
    if (check.worst >= errors.worst) errors.name_worst(check.worst, props::to_text(c));
  }
  if (report_.slowest.size() < Report::kSlowest || check.seconds > report_.slowest.back().seconds) {
    report_.add_slow({check.seconds, c.call.op, std::string(check.property), props::to_text(c)});
  }
}

void Recorder::not_checked(const props::Case& c, std::string_view property,
                           const std::string& why) {
  PropertyCount& count = of(c).properties[std::string(property)];
  if (count.not_checked++ == 0) count.why = why;
}

LibraryFile describe_library(const std::string& path) {
  LibraryFile file{path, 0, ""};
  std::ifstream in(path, std::ios::binary);
  if (!in) return file;
  std::uint64_t hash = props::kHashOfNothing;
  std::vector<char> block(1 << 16);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    const auto read = static_cast<std::size_t>(in.gcount());
    file.bytes += read;
    hash = props::hash_of({block.data(), read}, hash);
  }
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  file.fingerprint = text;
  return file;
}

Part begin_part(int shard) {
  Part part;
  part.shard = shard;
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  part.started = text;
  return part;
}

}  // namespace gradproof::report
