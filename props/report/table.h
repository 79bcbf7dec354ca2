// The end of a campaign on the terminal.
#pragma once

#include <ostream>

#include "props/report/report.h"

namespace gradproof::report {

/// All findings: `most` of them with the repro line and what a person needs, the rest in a line.
void print_failures(std::ostream& out, const Report& report, std::size_t most);
/// Which file the runtime and each operator are from.
void print_providers(std::ostream& out, const Question& question);
/// The table of operators, and below it by name what had to be covered and was not.
void print_table(std::ostream& out, const Report& report);
/// Operator × rule × argument × side: how many borders there are on all products, and how many were
/// covered. Of pointers, types, formats and ranks any valid call is on the kept side.
void print_matrix(std::ostream& out, const Report& report);
/// "passed: 9953 cases …", after what was selected and not tested.
void print_verdict(std::ostream& out, const Report& report);

/// How much of what had to come up did: "classes covered/all" and so on.
struct Covered {
  std::size_t covered = 0, all = 0;
  std::vector<std::string> missing;
};
Covered covered(const std::map<std::string, std::uint64_t>& counts);
/// A rule is covered if it was seen from both sides of its boundary.
Covered covered(const std::vector<RuleCount>& rules);

}  // namespace gradproof::report
