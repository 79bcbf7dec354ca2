// The end of a command that judged.
#pragma once

#include "props/cli/options.h"
#include "props/report/report.h"

namespace gradproof::cli {

/// Exit status of a command that ends with this report.
int status_of(const report::Report& report);

/// Prints failures, table and verdict, writes the files that the options ask for. An exit status.
int conclude(const report::Report& report, const Options& options);

}  // namespace gradproof::cli
