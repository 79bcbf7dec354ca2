// The end of a campaign on the terminal.
#pragma once

#include <ostream>

#include "props/report/report.h"
#include "props/report/style.h"

namespace gradproof::report {

/// "finding: wrong result: replication_pad2d, equivalence, values with BF16: …": what is printed of
/// a finding when it is found.
std::string found_line(const Failure& failure, const Style& style = {});
/// `most` of the findings, with the repro line and what a person needs.
void print_failures(std::ostream& out, const Report& report, std::size_t most,
                    const Style& style = {});
/// All findings, a line each.
void print_summary(std::ostream& out, const Report& report, const Style& style = {});
/// Which file the runtime and each operator are from.
void print_providers(std::ostream& out, const Question& question, const Style& style = {});
/// The table of operators, and below it by name what had to be covered and was not.
void print_table(std::ostream& out, const Report& report, const Style& style = {});
/// What the profile and earlier findings had to do with the result.
void print_grounds(std::ostream& out, const Report& report);
/// "passed: 9953 cases …", after what was selected and not tested.
void print_verdict(std::ostream& out, const Report& report, const Style& style = {});

/// How much of what had to come up did: "classes covered/all" and so on.
struct Covered {
  std::size_t covered = 0, all = 0;
  std::vector<std::string> missing;
};
/// "12/320".
std::string share(const Covered& c);
Covered covered(const std::map<std::string, std::uint64_t>& counts);
/// A rule is covered if it was seen from both sides of its boundary.
Covered covered(const std::vector<RuleCount>& rules);

}  // namespace gradproof::report
