// Finds what is wrong with a command line that CLI11 refuses, or accepts too easily.
#include "props/cli/usage.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "props/cli/describe.h"
#include "props/cli/options.h"

namespace gradproof::cli {
namespace {

using props::InputError;

/// "; `gradproof help verify` lists its options".
std::string see_help(const CLI::App& command) {
  return "; `gradproof help " + command.get_name() + "` lists its options";
}

/// "; did you mean '--library'?" of the command's options.
std::string nearest_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return suggestion(word, {names.begin(), names.end()});
}

/// "--seconds TIME", "-x", "CASE": an option or an argument, and what it takes.
std::string form(const CLI::Option& option) {
  const Argument a = argument(option);
  if (a.names.empty()) return a.value;
  return a.names.back() + (a.value.empty() ? "" : " " + a.value);
}

InputError no_option(const CLI::App& command, const std::string& word) {
  const std::string name = command.get_name();
  std::string what = "'" + name + "' has no option " + word;
  if (word == "--library" || word == "--exec") {
    what += name == "emit" ? ": the program that it writes is linked with a library when it is "
                             "built, as its first lines say"
            : name == "explain" ? ": it prints what the contract requires of every library; to run "
                                  "the case: gradproof repro"
                                : "";
  }
  return InputError(what + see_help(command) + nearest_option(command, word));
}

InputError no_argument(const CLI::App& command, const std::string& word) {
  const bool library = word.ends_with(".so") || word.find(".so.") != std::string::npos;
  return InputError("'" + command.get_name() + "' has no argument " + word +
                    (library && command.get_option_no_throw("--library") != nullptr
                         ? "; to test a library: --library " + word
                         : see_help(command)));
}

void demand_options_of(const CLI::App& command, int argc, char** argv) {
  std::set<const CLI::Option*> given;
  for (int i = 2; i < argc; ++i) {
    const std::string_view whole = argv[i];
    const std::string word(whole.substr(0, whole.find('=')));
    const bool is_long = word.size() > 2 && word.starts_with("--");
    const bool is_short = word.size() == 2 && word.starts_with("-") && word != whole;  // -x=3
    if (!is_long && !is_short) continue;
    const CLI::Option* option = command.get_option_no_throw(word);
    if (option == nullptr) throw no_option(command, word);
    if (option->get_items_expected_max() == 0 && word != whole)
      throw InputError(word + " takes no value, but has '" +
                       std::string(whole.substr(word.size() + 1)) + "'");
    if (option->get_expected_max() == 1 && !given.insert(option).second &&
        option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
      throw InputError(word + " is given more than once, and has one value");
    if (option->get_expected_min() == 0 || word != whole) continue;
    // CLI11 would take the next option for the value.
    if (i + 1 == argc) throw InputError(form(*option) + " has no value");
    const std::string next = argv[i + 1];
    if (next.starts_with("-") && command.get_option_no_throw(next) != nullptr)
      throw InputError(form(*option) + " has no value: " + next + " follows it");
  }
  const std::vector<std::string> rest = command.remaining();
  if (!rest.empty())
    throw rest.front().starts_with("-") ? no_option(command, rest.front())
                                        : no_argument(command, rest.front());
}

/// The error for one of the command's own requirements that is not met; CLI11 names it, but not
/// the option.
InputError unmet(const CLI::App& command, const CLI::ParseError& error) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_required() && option->count() == 0)
      return InputError("'" + command.get_name() + "' needs " + form(*option) + see_help(command));
    for (const CLI::Option* other : option->get_excludes()) {
      if (option->count() > 0 && other->count() > 0)
        return InputError(option->get_name() + " and " + other->get_name() + " exclude each other");
    }
    if (option->get_positional() &&
        option->count() > static_cast<std::size_t>(option->get_expected_max()))
      return InputError("'" + command.get_name() + "' takes one " + form(*option) + ", not " +
                        std::to_string(option->count()) +
                        (form(*option) == "CASE" ? " words: put the case in quotes" : ""));
  }
  // A message of ours behind the option's name (allowed.h).
  return InputError(error.what());
}

}  // namespace

void demand_command(const CLI::App& program, int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty()) throw InputError("no command is given; `gradproof --help` lists them");
  if (word.starts_with("-")) {
    if (program.get_option_no_throw(word) == nullptr)
      throw InputError("no option " + word +
                       " without a command; `gradproof --help` lists the commands");
    return;
  }
  std::vector<std::string> names;
  for (const CLI::App* command : commands(program)) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) == names.end())
    throw unknown("command", word, {names.begin(), names.end()});
}

void demand_options(const CLI::App& program, int argc, char** argv) {
  for (const CLI::App* command : program.get_subcommands()) demand_options_of(*command, argc, argv);
}

InputError usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<CLI::App*> given = program.get_subcommands();
  return given.empty() ? InputError(error.what()) : unmet(*given.front(), error);
}

}  // namespace gradproof::cli
