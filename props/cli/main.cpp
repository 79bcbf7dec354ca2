// gradproof: the command line of the verification suite.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "props/campaign/progress.h"
#include "props/cases/input_error.h"
#include "props/cli/commands.h"
#include "props/cli/describe.h"
#include "props/cli/help.h"
#include "props/cli/options.h"
#include "props/cli/usage.h"
#include "props/services/probe.h"
#include "props/worker/worker.h"

namespace {

using gradproof::cli::Options;

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

  gradproof::cli::demand_command(program, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return program.exit(e);  // --help, --version
    gradproof::cli::demand_options(program, argc, argv);
    throw gradproof::cli::usage_error(program, e);
  }
  gradproof::cli::demand_options(program, argc, argv);
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
