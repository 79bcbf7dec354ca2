// Fills a report's fields.
#include "props/cli/summary.h"

#include <iostream>

#include "props/report/table.h"
#include "props/report/write.h"

namespace gradproof::cli {

report::Question ask(const Options& options, std::string_view command,
                     const std::vector<ref::Product>& products,
                     const std::vector<ref::Operator>& operators,
                     const std::vector<const props::Property*>& properties) {
  report::Question q;
  q.command = command;
  for (const std::string& path : library_paths(options))
    q.libraries.push_back(report::describe_library(path));
  for (const ref::Product product : products) q.products.emplace_back(ref::name(product));
  for (const ref::Operator op : operators) q.operators.emplace_back(ref::signature(op).stem);
  for (const props::Property* property : properties) q.properties.emplace_back(property->name);
  q.seed = options.seed;
  q.cases = options.cases;
  q.seconds = options.cases > 0 ? 0 : options.seconds;
  q.threads = options.threads;
  q.accuracy = options.accuracy == ref::Accuracy::device ? "device" : "contract";
  return q;
}

report::Check check_of(const props::Property& property, const props::Verdict& verdict,
                       double seconds) {
  return {property.name,
          verdict.held,
          verdict.kind,
          verdict.worst_fraction,
          property.name == "equivalence",
          seconds};
}

report::Failure summary(const Failure& failure, const Options& options) {
  report::Failure f;
  f.op = failure.test.call.op;
  f.property = failure.property->name;
  f.kind = failure.verdict.kind;
  f.count = 1;
  f.test = props::to_text(failure.test);
  f.finding = failure.verdict.finding;
  f.repro = repro_line(failure, options);
  return f;
}

int conclude(const report::Report& report, const Options& options) {
  report::print_failures(std::cout, report);
  report::print_table(std::cout, report);
  if (options.matrix) report::print_matrix(std::cout, report);
  report::print_verdict(std::cout, report);
  if (!options.report.empty()) report::write_report(report, options.report);
  return report.failed() == 0 && report.uncovered() == 0 ? kHeld : kViolated;
}

}  // namespace gradproof::cli
