// The commands of `gradproof`: what each may be given, and the function that does it.
#pragma once

#include <CLI/App.hpp>
#include <span>

#include "props/cli/options.h"

namespace gradproof::cli {

struct Command {
  /// Declares the command and its options, which parsing writes into `options`.
  CLI::App* (*declare)(CLI::App& program, Options& options);
  /// Does it. Returns the exit status.
  int (*perform)(const Options& options);
};

/// In the order of --help.
std::span<const Command> all_commands();

}  // namespace gradproof::cli
