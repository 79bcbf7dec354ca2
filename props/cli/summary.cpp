// Prints the end of a command that judged: failures, table, verdict; writes its files.
#include "props/cli/summary.h"

#include <iostream>

#include "props/report/table.h"
#include "props/report/write.h"

namespace gradproof::cli {

int status_of(const report::Report& report) {
  switch (report.result()) {
    case report::Result::passed:
      return kPassed;
    case report::Result::failed:
      return kFailed;
    case report::Result::incomplete:
      return kNotTested;
  }
  return kCannotJudge;
}

int conclude(const report::Report& report, const Options& options) {
  report::print_failures(std::cout, report, options.show);
  report::print_providers(std::cout, report.question);
  report::print_table(std::cout, report);
  if (options.matrix) report::print_matrix(std::cout, report);
  report::print_verdict(std::cout, report);
  if (!options.report.empty()) report::write_report(report, options.report);
  if (!options.save_known.empty()) report::write_known(report, options.save_known);
  return status_of(report);
}

}  // namespace gradproof::cli
