// The terminal output of `gradproof run`: case files and verdict.
#pragma once

#include <ostream>

#include "props/report/report.h"
#include "props/report/style.h"

namespace gradproof::report {

/// The table of case files.
void print_files(std::ostream& out, const Report& report, const Style& style);
/// Prints what was not tested, then "passed: 300 cases, 0 failed".
void print_run_verdict(std::ostream& out, const Report& report, const Style& style);

}  // namespace gradproof::report
