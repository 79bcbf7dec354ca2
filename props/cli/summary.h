// The end of a command that judged.
#pragma once

#include "props/cli/options.h"
#include "props/report/report.h"
#include "props/report/style.h"

namespace gradproof::cli {

/// Exit status of a command that ends with this report.
int status_of(const report::Report& report);

/// How a file descriptor is written to: as --color, NO_COLOR and the terminal have it.
report::Style style_of(const Options& options, int descriptor);

/// settings() of a command that prints findings and progress while it runs, on stderr.
campaign::Settings live_settings(const Options& options);

/// Says on stderr that --max-failures ended the command.
void print_ended(const Options& options);

/// Prints failures, table and verdict, writes the files that the options ask for. An exit status.
int conclude(const report::Report& report, const Options& options);
/// The same for `run`, with a table of files.
void conclude_run(const report::Report& report, const Options& options);

}  // namespace gradproof::cli
