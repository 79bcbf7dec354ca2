// From the command line's own terms to those of a report.
#pragma once

#include "props/cli/checker.h"
#include "props/report/record.h"

namespace gradproof::cli {

report::Question ask(const Options& options, std::string_view command,
                     const std::vector<ref::Product>& products,
                     const std::vector<ref::Operator>& operators,
                     const std::vector<const props::Property*>& properties);
report::Check check_of(const props::Property& property, const props::Verdict& verdict,
                       double seconds);
/// The failure with its repro line.
report::Failure summary(const Failure& failure, const Options& options);

/// Prints failures, table and verdict, writes the files that the options ask for. An exit status.
int conclude(const report::Report& report, const Options& options);

}  // namespace gradproof::cli
