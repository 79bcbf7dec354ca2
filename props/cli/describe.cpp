// Reads commands and options back from CLI11.
#include "props/cli/describe.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>

#include "props/cases/input_error.h"
#include "props/properties/property.h"
#include "ref/call.h"

namespace gradproof::cli {
namespace {

/// The values of an option that has a fixed set of them.
std::vector<std::string> known_words(const std::string& option, const std::string& type) {
  std::vector<std::string> words;
  if (option == "--operator") {
    for (int i = 0; i < ref::kOperatorCount; ++i)
      words.emplace_back(ref::signature(static_cast<ref::Operator>(i)).stem);
  } else if (option == "--property") {
    for (const std::string_view name : props::property_names()) words.emplace_back(name);
  } else if (type.find('|') != std::string::npos) {
    std::istringstream text(type);
    for (std::string word; std::getline(text, word, '|');) words.push_back(word);
  }
  return words;
}

Expects expects(const Argument& argument) {
  if (argument.value.empty()) return Expects::nothing;
  if (!argument.words.empty()) return Expects::word;
  if (argument.value == "DIR") return Expects::folder;
  const bool file =
      argument.value == "PATH" || argument.value == "FILE" || argument.value == "REPORT";
  return file ? Expects::file : Expects::anything;
}

/// CLI11 prints C++ types.
std::string value_for_people(const std::string& type) {
  return type == "INT" || type == "UINT" || type == "FLOAT" ? "N" : type;
}

}  // namespace

Argument argument(const CLI::Option& option) {
  Argument a;
  for (const std::string& name : option.get_snames()) a.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) a.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();
    const bool named_by_type = option.nonpositional() || type.find('|') != std::string::npos;
    a.value = named_by_type ? type : option.get_name(true);
    // CLI11 appends the range of a validator to the type: "INT:INT in [1 - 1024]".
    a.value.resize(std::min(a.value.size(), a.value.find(':')));
    a.value = value_for_people(a.value);
    a.fallback = option.get_default_str();
  }
  a.description = option.get_description();
  std::replace(a.description.begin(), a.description.end(), '\n', ' ');
  a.words = known_words(a.names.empty() ? "" : a.names.back(), a.value);
  a.expects = expects(a);
  return a;
}

std::string described(const CLI::App& command) {
  std::string text = command.get_description();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::vector<Argument> arguments(const CLI::App& command) {
  std::vector<Argument> all;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_group().empty()) all.push_back(argument(*option));
  }
  return all;
}

std::vector<const CLI::App*> commands(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* app) { return !app->get_group().empty(); });
}

int describe(const CLI::App& program, std::string_view what) {
  std::cout << (what == "man" ? manual_page(program) : completion(program, what));
  return 0;
}

}  // namespace gradproof::cli
