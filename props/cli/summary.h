// The end of verify, run and merge.
#pragma once

#include "props/cli/jobs.h"
#include "props/cli/options.h"
#include "props/report/report.h"
#include "props/report/style.h"

namespace gradproof::cli {

/// Exit status of a command that ends with this report.
int status_of(const report::Report& report);

/// Colour and width for a file descriptor, from --color, NO_COLOR and the terminal.
report::Style style_of(const Options& options, int descriptor);

/// settings() of a command that prints findings and progress while it runs, on stderr.
campaign::Settings live_settings(const Options& options);

/// Prints to stderr that --max-failures stopped the command.
void print_ended(const Options& options);

/// Prints to stderr how many findings were told, saved and reported, where these numbers differ.
void print_counts(const Outcome& outcome, const Options& options);

/// Prints to stderr how many checks were skipped, if any.
void print_skipped(std::uint64_t checks);

/// Prints the findings in full as far as --show says, the summary of all, and the next steps.
void print_findings(const report::Report& report, const Options& options);

/// Prints findings, table and verdict, and writes the requested files. Returns the exit status.
/// @param known  of --known
int conclude(const report::Report& report, const Options& options,
             const profiles::KnownList& known);
/// The same for `run`, with a table of files.
void conclude_run(const report::Report& report, const Options& options,
                  const profiles::KnownList& known);

}  // namespace gradproof::cli
