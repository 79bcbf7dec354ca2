// Parts of a report that are printed only with an option.
#pragma once

#include <ostream>

#include "props/report/report.h"
#include "props/report/style.h"

namespace gradproof::report {

/// Boundary sides, covered and all, by operator, rule and argument, summed over products. For
/// pointers, types, formats and ranks, any valid call is on the kept side.
void print_matrix(std::ostream& out, const Report& report);
/// How often each property was checked, and how long that took.
void print_properties(std::ostream& out, const Report& report, const Style& style);
/// Runs of each kernel, by element type and instruction set; nothing if the library does not report
/// its kernels.
void print_kernel_runs(std::ostream& out, const Report& report, const Style& style);
/// The slowest properties by operator, and the slowest checks; `most` of each.
void print_durations(std::ostream& out, const Report& report, std::size_t most, const Style& style);

}  // namespace gradproof::report
