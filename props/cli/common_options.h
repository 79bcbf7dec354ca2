// Options of several commands.
#pragma once

#include <CLI/App.hpp>

#include "props/cli/options.h"

namespace gradproof::cli {

/// --library or --exec, and how it is loaded and judged: --threads, --timeout, --no-fork,
/// --profile.
void add_library(CLI::App& command, Options& options);
/// --profile, and --accuracy as its alias.
void add_profile(CLI::App& command, Options& options);
/// --known; --save-known too where findings are collected.
void add_known(CLI::App& command, Options& options, bool save);
/// --operator, --type, --rank, --format, --product, --class: which cases.
void add_selectors(CLI::App& command, Options& options);
/// --at-most.
void add_at_most(CLI::App& command, Options& options);
/// --property; `fallback` says which are checked without it.
void add_properties(CLI::App& command, Options& options, const std::string& fallback);
/// --seed; `meaning` completes "The same seed …".
void add_seed(CLI::App& command, Options& options, const std::string& meaning);
/// --jobs N|all; `meaning` says what runs in parallel.
void add_jobs(CLI::App& command, Options& options, const std::string& meaning);
/// --max-failures, -x.
void add_max_failures(CLI::App& command, Options& options);
/// --quiet, --color, --progress.
void add_output(CLI::App& command, Options& options);
/// --show: how many findings are printed in full.
void add_show(CLI::App& command, Options& options);
/// --verbose, --durations, --show: how much of a campaign is printed.
void add_details(CLI::App& command, Options& options);
/// --report, a folder for `files`.
void add_report(CLI::App& command, Options& options, const std::string& files);

}  // namespace gradproof::cli
