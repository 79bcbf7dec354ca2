// The terminal output at the end of a campaign.
#pragma once

#include <ostream>

#include "props/report/report.h"
#include "props/report/style.h"

namespace gradproof::report {

/// The line printed when a finding is found: "finding: wrong result: replication_pad2d,
/// equivalence, values with BF16: …".
std::string found_line(const Failure& failure, const Style& style = {});
/// Prints at most `most` findings in full, with their repro lines.
void print_failures(std::ostream& out, const Report& report, std::size_t most,
                    const Style& style = {});
/// Prints all findings, one line each.
void print_summary(std::ostream& out, const Report& report, const Style& style = {});
/// Prints which file defines the runtime and each operator.
void print_providers(std::ostream& out, const Question& question, const Style& style = {});
/// Prints the variables of the environment that a library may obey, if any.
void print_environment(std::ostream& out, const std::vector<std::string>& environment);
/// Prints the table of operators, then what had to be covered and was not.
void print_table(std::ostream& out, const Report& report, const Style& style = {});
/// Prints how the profile and earlier findings affected the result.
void print_grounds(std::ostream& out, const Report& report, const Style& style = {});
/// The first word of a verdict: "passed", "FAILED", "INCOMPLETE".
std::string verdict(Result result, const Style& style);
/// Prints what was selected and not tested, then "passed: 9953 cases …".
void print_verdict(std::ostream& out, const Report& report, const Style& style = {});

/// How many of the expected classes, points or sides were covered.
struct Covered {
  std::size_t covered = 0, all = 0;
  std::vector<std::string> missing;
};
/// "12/320".
std::string share(const Covered& c);
Covered covered(const std::map<std::string, std::uint64_t>& counts);
/// Coverage points, without those that the kernel does not support.
Covered covered_points(const OperatorReport& o);
/// Whether calls that break the rule are expected of the campaign: not if the profile does not
/// demand their refusal, or no product, or nothing in the selection, has them.
bool expects_refusals(const OperatorReport& o, const std::string& rule);
/// Of the rules whose refusals are expected. A rule is covered if both sides of its boundary were
/// tested.
Covered covered_rules(const OperatorReport& o);

}  // namespace gradproof::report
