// Prints the table of case files and the verdict.
#include "props/report/files.h"

#include <cstdio>

#include "props/cases/counted.h"
#include "props/report/entries_text.h"
#include "props/report/table.h"
#include "props/report/text.h"

namespace gradproof::report {

void print_files(std::ostream& out, const Report& report, const Style& style) {
  Table table(
      {{"file"}, {"cases", 4}, {"failed", 5}, {"skipped", 3}, {"worst error", 1}, {"seconds", 2}});
  for (const FileCount& row : report.files) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.1f", row.seconds);
    table.add({printable(row.file), std::to_string(row.cases), std::to_string(row.failed),
               std::to_string(row.skipped), worst_text(row.worst), seconds});
  }
  table.print(out, style);
}

void print_run_verdict(std::ostream& out, const Report& report, const Style& style) {
  FileCount sum;
  for (const FileCount& row : report.files) {
    sum.cases += row.cases;
    sum.failed += row.failed;
    sum.skipped += row.skipped;
  }
  print_refuted(out, report);
  for (const std::string& what : report.untested_of_run())
    out << "not tested: " << printable(what) << '\n';
  out << verdict(report.result(), style) << ": " << props::counted(sum.cases, "case") << ", "
      << sum.failed << " failed" << refuted_text(report);
  if (sum.skipped > 0)
    out << ", " << sum.skipped
        << " skipped (operator or product not supported by the library, or nothing to check)";
  out << (report.interrupted() ? " (interrupted)\n" : "\n");
}

}  // namespace gradproof::report
