// Prints the table of case files and the verdict.
#include "props/report/files.h"

#include <cstdio>

#include "props/cases/counted.h"
#include "props/report/entries_text.h"
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
  const std::vector<std::string> untested = report.untested_of_run();
  for (const std::string& what : untested) out << "not tested: " << printable(what) << '\n';
  out << (sum.failed > 0                              ? style.bad("FAILED")
          : untested.empty() && !report.interrupted() ? style.good("passed")
                                                      : style.unsure("INCOMPLETE"))
      << ": " << props::counted(sum.cases, "case") << ", " << sum.failed << " failed";
  if (sum.skipped > 0)
    out << ", " << sum.skipped
        << " skipped (operator or product not supported by the library, or nothing to check)";
  out << (report.interrupted() ? " (interrupted)\n" : "\n");
}

}  // namespace gradproof::report
