// Usage errors: what is wrong with a command line, in this program's words instead of CLI11's.
#pragma once

#include <CLI/App.hpp>

#include "props/cases/input_error.h"

namespace gradproof::cli {

/// Throws InputError if the first word is neither an option of the program nor a command.
void demand_command(const CLI::App& program, int argc, char** argv);

/// Throws InputError for the first option that the command does not have, that lacks its value, has
/// one although it takes none, or is repeated although it takes one value; and for the name of a
/// library that is no option's value. A program that `emit` writes, and what `explain` prints,
/// need no library.
void demand_options(const CLI::App& program, int argc, char** argv);

/// The error to report for one of CLI11 that the functions above did not find.
props::InputError usage_error(const CLI::App& program, const CLI::ParseError& error);

}  // namespace gradproof::cli
