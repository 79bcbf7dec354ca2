// Describes the command line for man and shells, from the same definitions as --help.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::cli {

/// The kind of value of an option or a positional argument.
enum class Expects { nothing, anything, file, folder, word };

struct Argument {
  std::vector<std::string> names;  ///< "--seconds"; empty for a positional argument
  std::string value;               ///< "PATH"; empty for a flag
  std::string fallback;            ///< the default; empty if there is none to show
  std::string description;
  Expects expects = Expects::nothing;
  std::vector<std::string> words;  ///< all values, for Expects::word
};

Argument argument(const CLI::Option& option);
/// The command's description in one line.
std::string described(const CLI::App& command);
/// The options and positional arguments of one command.
std::vector<Argument> arguments(const CLI::App& command);
/// The commands, in the order of --help.
std::vector<const CLI::App*> commands(const CLI::App& program);

/// A manual page for man(1), in its own macros.
std::string manual_page(const CLI::App& program);
/// A completion script for "bash", "zsh" or "fish".
std::string completion(const CLI::App& program, std::string_view shell);

/// Prints one of "man", "bash", "zsh", "fish" to stdout. Throws InputError for any other word.
int describe(const CLI::App& program, std::string_view what);

}  // namespace gradproof::cli
