// The help of the command line: groups, examples, topics; 80 columns.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>

namespace gradproof::cli {

/// Groups the options of every command, and makes --help print help_of.
void use_help(CLI::App& program);
/// What --help prints for the program or a command.
std::string help_of(const CLI::App& app);
/// Examples of a command, one per line; empty if there are none.
std::string_view examples_of(std::string_view command);
/// `gradproof help`: a command's help, or a topic's page. Throws InputError for any other word.
std::string help_about(const CLI::App& program, const std::string& topic);

}  // namespace gradproof::cli
