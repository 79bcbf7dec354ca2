// gradproof: the command line of the verification suite.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "props/campaign/progress.h"
#include "props/cases/input_error.h"
#include "props/cli/commands.h"
#include "props/cli/describe.h"
#include "props/cli/help.h"
#include "props/cli/options.h"
#include "props/services/probe.h"
#include "props/worker/worker.h"

namespace {

using gradproof::cli::Options;

/// Throws InputError if `word` is not a command; CLI11 would only say that one is missing.
void demand_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : gradproof::cli::commands(program))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) == names.end())
    throw gradproof::cli::unknown("command", word, {names.begin(), names.end()});
}

/// "; did you mean '--library'?" of the command's options.
std::string nearest_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return gradproof::cli::suggestion(word, {names.begin(), names.end()});
}

/// Throws InputError for the first option that the command does not have, that has no value, or
/// that is repeated although it takes one value, and for the name of a library that is no option's
/// value: CLI11 would say that there are too many words. A program that `emit` writes, and what
/// `explain` prints, need no library.
void demand_options(const CLI::App& program, int argc, char** argv) {
  for (const CLI::App* command : program.get_subcommands()) {
    std::set<const CLI::Option*> given;
    for (int i = 2; i < argc; ++i) {
      const std::string word = std::string(argv[i]).substr(0, std::string_view(argv[i]).find('='));
      if (word.size() < 3 || !word.starts_with("--")) continue;
      if (const CLI::Option* option = command->get_option_no_throw(word)) {
        // CLI11 would say "At Most 1 required but received 2".
        if (option->get_expected_max() == 1 && !given.insert(option).second &&
            option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
          throw gradproof::props::InputError(word + " is given more than once, and has one value");
        // CLI11 would take the next option for the value.
        const bool needs_word = option->get_expected_min() > 0 && word == argv[i];
        const std::string next = needs_word && i + 1 < argc ? argv[i + 1] : "";
        if (next.starts_with("--") && command->get_option_no_throw(next) != nullptr)
          throw gradproof::props::InputError(word + " has no value: " + next + " follows it");
        continue;
      }
      const std::string name = command->get_name();
      std::string what = "'" + name + "' has no option " + word;
      if (word == "--library" || word == "--exec") {
        what += name == "emit" ? ": the program that it writes is linked with a library when it is "
                                 "built, as its first lines say"
                : name == "explain"
                    ? ": it prints what the contract requires of every library; to run "
                      "the case: gradproof repro"
                    : "";
      }
      throw gradproof::props::InputError(what + "; `gradproof help " + name +
                                         "` lists its options" + nearest_option(*command, word));
    }
    for (const std::string& word : command->remaining()) {
      if ((word.ends_with(".so") || word.find(".so.") != std::string::npos) &&
          command->get_option_no_throw("--library"))
        throw gradproof::props::InputError("'" + command->get_name() + "' has no argument " + word +
                                           "; to test a library: --library " + word);
    }
  }
}

int dispatch(int argc, char** argv) {
  Options options;
  CLI::App program{
      "Compares an implementation of aclnn gradients (and their forwards) with a reference.\n"
      "Exit status: 0 all checks passed; 1 a check failed; 2 cannot judge (the command is wrong, "
      "or\n"
      "the host lacks memory, disk or threads); 5 part of the selection was not checked;\n"
      "128 + N ended by signal N."};
  program.require_subcommand(1);
  program.name("gradproof");
  program.set_version_flag("--version", "gradproof " GRADPROOF_VERSION);
  std::vector<std::pair<const CLI::App*, int (*)(const Options&)>> commands;
  for (const gradproof::cli::Command& command : gradproof::cli::all_commands())
    commands.emplace_back(command.declare(program, options), command.perform);

  gradproof::cli::use_help(program);
  options.program = &program;

  // Internal: the build writes the manual page and completions with it.
  if (argc == 3 && std::string_view(argv[1]) == "--describe")
    return gradproof::cli::describe(program, argv[2]);

  if (argc > 1 && *argv[1] != '-') demand_command(program, argv[1]);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return program.exit(e);  // --help, --version
    demand_options(program, argc, argv);
    program.exit(e, std::cerr, std::cerr);
    return gradproof::cli::kCannotJudge;
  }
  demand_options(program, argc, argv);
  const auto given = std::find_if(commands.begin(), commands.end(),
                                  [](const auto& command) { return command.first->parsed(); });
  return given->second(options);
}

/// 128 + signal after an interrupt, as in shells: what was skipped may not hold.
int unless_interrupted(int status) {
  const int signal = gradproof::campaign::interrupted_by();
  return status != gradproof::cli::kFailed && signal != 0 ? 128 + signal : status;
}

/// The exit status after flushing stdout: output cut by a full disk must not look complete.
int printed(int status) {
  std::cout.flush();
  if (std::cout.good() && std::fflush(stdout) == 0) return status;
  std::cerr << "gradproof: cannot write to standard output; part of the output is lost\n";
  return status == gradproof::cli::kFailed ? status : gradproof::cli::kCannotJudge;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    // Internal: the suite starts itself so, to run the library in a separate process.
    if (argc == 3 && std::string_view(argv[1]) == "--worker")
      return gradproof::props::serve_as_worker(std::atoi(argv[2]));
    // Internal: likewise, for one question about its process.
    if (argc > 5 && std::string_view(argv[1]) == "--probe")
      return gradproof::props::answer_probe({argv[2], argv[3], argv[4], {argv + 5, argv + argc}},
                                            gradproof::cli::tasks_library());
    return printed(unless_interrupted(dispatch(argc, argv)));
  } catch (const gradproof::props::InputError& e) {
    std::cerr << "gradproof: " << e.what() << '\n';
    return gradproof::cli::kCannotJudge;
  } catch (const std::system_error& e) {
    std::cerr << "gradproof: " << e.what() << '\n';
    return gradproof::cli::kCannotJudge;
  } catch (const std::bad_alloc&) {
    std::cerr << "gradproof: out of memory\n";
    return gradproof::cli::kCannotJudge;
  }
}
