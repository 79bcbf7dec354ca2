// The commands of `gradproof`: their options, and the functions that run them.
#pragma once

#include <CLI/App.hpp>
#include <span>

#include "props/cli/options.h"

namespace gradproof::cli {

struct Command {
  /// Declares the command and its options, which parsing writes into `options`.
  CLI::App* (*declare)(CLI::App& program, Options& options);
  /// Runs the command. Returns the exit status.
  int (*perform)(const Options& options);
};

/// In the order of --help.
std::span<const Command> all_commands();

}  // namespace gradproof::cli
