// What a report says on the terminal only where an option asks for it.
#pragma once

#include <ostream>

#include "props/report/report.h"
#include "props/report/style.h"

namespace gradproof::report {

/// Operator × rule × argument × side: how many borders there are on all products, and how many were
/// covered. Of pointers, types, formats and ranks any valid call is on the kept side.
void print_matrix(std::ostream& out, const Report& report);
/// How often each property was checked, and how long that took.
void print_properties(std::ostream& out, const Report& report, const Style& style);
/// Where the time went: the properties of operators that took most, and the slowest checks, `most`
/// of each.
void print_durations(std::ostream& out, const Report& report, std::size_t most, const Style& style);

}  // namespace gradproof::report
