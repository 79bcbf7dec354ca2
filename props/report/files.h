// What a report of `gradproof run` says on the terminal: its case files, and the verdict.
#pragma once

#include <ostream>

#include "props/report/report.h"
#include "props/report/style.h"

namespace gradproof::report {

/// The table of case files.
void print_files(std::ostream& out, const Report& report, const Style& style);
/// "passed: 300 cases, 0 failed", after what was not tested.
void print_run_verdict(std::ostream& out, const Report& report, const Style& style);

}  // namespace gradproof::report
