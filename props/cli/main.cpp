// gradproof: the command line of the verification suite.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>

#include "props/cases/input_error.h"
#include "props/cli/describe.h"
#include "props/cli/options.h"
#include "props/cli/progress.h"
#include "props/worker/worker.h"

namespace {

using gradproof::cli::Options;

/// CLI11's own range lets NaN pass.
CLI::Validator between(double least, double most) {
  const CLI::Validator range = CLI::Range(least, most);
  return {[range](std::string& word) {
            const bool number = std::isfinite(std::strtod(word.c_str(), nullptr));
            return number ? range(word) : '\'' + word + "' is no finite number";
          },
          range.get_description()};
}

/// CLI11 takes -1, and all that is too large, for the largest number there is.
CLI::Validator whole_number() {
  return {[](std::string& word) {
            errno = 0;
            std::strtoull(word.c_str(), nullptr, 0);
            const bool fits = errno == 0 && word.find('-') == std::string::npos;
            return fits ? std::string() : '\'' + word + "' is no number from 0 to 2^64-1";
          },
          ""};
}

CLI::Validator not_empty() {
  return {[](std::string& word) {
            return std::string(word.empty() ? "must not be an empty word" : "");
          },
          ""};
}

void add_library(CLI::App* command, Options& options) {
  command
      ->add_option(
          "--library", options.libraries,
          "File of the implementation to judge; give it several times if it is split over files\n"
          "(CANN: libascendcl.so, libnnopbase.so, libopapi.so). Default: the libgradproof beside "
          "this program")
      ->type_name("PATH")
      ->check(not_empty())
      ->allow_extra_args(false);
  command
      ->add_option("--threads", options.threads,
                   "Threads that one call of the library may use. Default: its own choice")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--timeout", options.timeout,
                   "Seconds after which a check that has not ended is a hang; more for large cases")
      ->check(between(0.01, 1e6))
      ->capture_default_str();
  command->add_flag("!--no-fork", options.fork,
                    "Load the library into this process, for debuggers: a crash then ends "
                    "everything, and no hang is seen");
  command
      ->add_option_function<std::string>(
          "--accuracy",
          [&](const std::string& word) { options.accuracy = gradproof::cli::parse_accuracy(word); },
          "contract: the bound of the contract. device: a wider one for hardware that computes\n"
          "coordinates and sums in float")
      ->type_name("contract|device");
}

void add_properties(CLI::App* command, Options& options, const char* fallback) {
  command
      ->add_option("--property", options.properties,
                   std::string("Property to check; may be repeated. Default: ") + fallback)
      ->type_name("NAME")
      ->allow_extra_args(false);
}

void add_report(CLI::App* command, Options& options) {
  command
      ->add_option("--report", options.report,
                   "Folder for report.html, report.json and junit.xml; made if there is none")
      ->type_name("DIR")
      ->check(not_empty());
}

int dispatch(int argc, char** argv) {
  Options options;
  CLI::App app{
      "Holds an implementation of five aclnn gradients (and their forwards) against a reference.\n"
      "Exit status: 0 everything held, 1 something was violated, 2 the question was wrong."};
  app.require_subcommand(1);
  app.name("gradproof");
  app.set_version_flag("--version", "gradproof " GRADPROOF_VERSION);

  CLI::App* verify =
      app.add_subcommand("verify", "Check properties on generated cases and print a table");
  add_library(verify, options);
  verify
      ->add_option("--operator", options.operators,
                   "Operator to check, by stem or C name; may be repeated. Default: all")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_properties(verify, options, "all");
  CLI::Option* seconds = verify->add_option("--seconds", options.seconds, "Wall time to take")
                             ->check(between(0, 1e7))
                             ->capture_default_str();
  verify->add_option("--cases", options.cases, "Number of cases to take instead of a time")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62))
      ->excludes(seconds);
  verify->add_option("--seed", options.seed, "The same seed gives the same cases")
      ->check(whole_number())
      ->capture_default_str();
  verify->add_flag("--progress", options.progress,
                   "Show the progress line even if stderr is no terminal");
  verify
      ->add_option_function<std::string>(
          "--shard",
          [&](const std::string& word) { options.shard = gradproof::cli::parse_shard(word); },
          "Take only every N-th case, beginning with the I-th: the N shards of a campaign are "
          "together\n"
          "the campaign")
      ->type_name("I/N");
  add_report(verify, options);
  verify->add_flag("--matrix", options.matrix,
                   "Print which sides of which rules were covered, argument by argument");
  verify->add_flag("--list-cases", options.list_cases,
                   "Print the cases (of --cases N) instead of checking them");

  CLI::App* exhaust = app.add_subcommand(
      "exhaust", "Check every small configuration of an axis instead of a sample");
  add_library(exhaust, options);
  exhaust
      ->add_option("--operator", options.operators,
                   "Operator to check, by stem or C name; may be repeated. Default: all")
      ->type_name("NAME")
      ->allow_extra_args(false);
  exhaust
      ->add_option("--at-most", options.at_most,
                   "No extent and no parameter larger than this. Default: pooling of up to 8 "
                   "elements by up\n"
                   "to 8 with strides up to 5, resizing between 7 and 7, padding of 5, adaptive "
                   "pooling of 9 to 9")
      ->check(CLI::Range(1, 9));
  exhaust->add_flag("--progress", options.progress,
                    "Show the progress line even if stderr is no terminal");

  CLI::App* run =
      app.add_subcommand("run", "Check the cases of files: case lines, or CANN's ATK JSON");
  run->add_option("FILE", options.words, "Case files")->required();
  add_library(run, options);
  add_properties(run, options, "error-codes, messages, equivalence, misuse");
  run->add_flag("--progress", options.progress,
                "Show the progress line even if stderr is no terminal");

  add_report(run, options);

  CLI::App* merge = app.add_subcommand("merge", "Join the reports of a campaign's shards into one");
  merge
      ->add_option("REPORT", options.words,
                   "Each shard's report.json, or the folder that it lies in")
      ->required();
  add_report(merge, options);
  merge->add_flag("--partial", options.partial,
                  "Join what is there, even if shards are missing or were interrupted");

  CLI::App* repro =
      app.add_subcommand("repro", "Check one case alone and show what went in and came out");
  repro->add_option("CASE", options.words, "A case line")->required()->expected(1);
  add_library(repro, options);
  add_properties(repro, options, "all that apply to the case");

  CLI::App* explain = app.add_subcommand("explain", "Print what the contract says about one case");
  explain->add_option("CASE", options.words, "A case line")->required()->expected(1);

  CLI::App* list = app.add_subcommand(
      "list", "Print what there is: operators, properties, rules, classes or cells");
  list->add_option("WHAT", options.words)
      ->required()
      ->expected(1)
      ->type_name("operators|properties|rules|classes|cells");
  list->add_flag("--markdown", options.markdown, "Print the rules as a page: docs/rules.md");

  CLI::App* corpus = app.add_subcommand(
      "corpus", "Write seeds for the fuzz targets: generated cases and attacks, a folder a target");
  corpus->add_option("DIR", options.words, "Folder, made if there is none; with --case a file")
      ->required()
      ->expected(1);
  corpus->add_option("--case", options.as_bytes,
                     "Write only this case line, as a target on cases reads it");
  corpus->add_option("--seed", options.seed, "The same seed writes the same files")
      ->check(whole_number())
      ->capture_default_str();

  CLI::App* selftest = app.add_subcommand(
      "selftest",
      "Run the campaign on libraries with one deliberate defect each: which are caught,\n"
      "by what, how fast, with how small a counterexample");
  add_library(selftest, options);
  selftest
      ->add_option("--faulty", options.faulty,
                   "Folder of the faulty libraries and their catalogue.json\n"
                   "(the build target `faulty` makes it in tests/faulty)")
      ->type_name("DIR")
      ->required();
  selftest
      ->add_option("--fault", options.faults,
                   "Fault to try, by name; may be repeated. Default: all of the catalogue")
      ->type_name("NAME")
      ->allow_extra_args(false);
  selftest
      ->add_option(
          "--seconds-per-fault", options.seconds_per_fault,
          "Time after which a fault has escaped, and time to make its counterexample small")
      ->check(between(0, 1e7))
      ->capture_default_str();
  selftest
      ->add_option("--sound-seconds", options.sound_seconds,
                   "Time for the sound library, which must raise no alarm; 0: leave it out")
      ->check(between(0, 1e7))
      ->capture_default_str();
  selftest
      ->add_option(
          "--ablation-cases", options.ablation_cases,
          "Cases on which each other property is tried on each fault, to find out which of "
          "them catch it too; 0: leave it out")
      ->check(whole_number())
      ->capture_default_str();
  selftest
      ->add_option("--jobs", options.jobs,
                   "Faults tried at the same time. Default: one a processor")
      ->check(CLI::Range(1, 1024));
  selftest->add_option("--seed", options.seed, "The same seed asks the same cases")
      ->check(whole_number())
      ->capture_default_str();
  selftest->add_option("--report", options.report, "Folder for report.html; made if there is none")
      ->type_name("DIR")
      ->check(not_empty());

  // How the build writes manual page and completions from what stands above; nothing for people.
  if (argc == 3 && std::string_view(argv[1]) == "--describe")
    return gradproof::cli::describe(app, argv[2]);

  if (argc > 1 && *argv[1] != '-') {  // CLI11 would say only that a command is missing
    const std::vector<const CLI::App*> commands = gradproof::cli::commands(app);
    std::vector<std::string> names;
    for (const CLI::App* command : commands) names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), argv[1]) == names.end())
      throw gradproof::cli::unknown("command", argv[1], {names.begin(), names.end()});
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    app.exit(e, std::cerr, std::cerr);
    return gradproof::cli::kWrong;
  }
  if (*verify) return gradproof::cli::verify(options);
  if (*exhaust) return gradproof::cli::exhaust(options);
  if (*run) return gradproof::cli::run_files(options);
  if (*merge) return gradproof::cli::merge(options);
  if (*repro) return gradproof::cli::repro(options);
  if (*selftest) return gradproof::cli::selftest(options);
  if (*corpus) return gradproof::cli::corpus(options);
  if (*explain) return gradproof::cli::explain(options);
  return gradproof::cli::list(options);
}

/// As the shell has it for a program that a signal ended: what was left out is not known to hold.
int unless_interrupted(int status) {
  const int signal = gradproof::cli::interrupted_by();
  return status == gradproof::cli::kHeld && signal != 0 ? 128 + signal : status;
}

/// The exit status once all that was printed has arrived; a disk that is full must not pass for
/// a short list.
int printed(int status) {
  std::cout.flush();
  if (std::cout.good() && std::fflush(stdout) == 0) return status;
  std::cerr << "gradproof: standard output cannot be written; part of what was said is lost\n";
  return status == gradproof::cli::kHeld ? gradproof::cli::kWrong : status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    // How the suite starts itself to run the library in a process of its own; nothing for people.
    if (argc == 3 && std::string_view(argv[1]) == "--worker")
      return gradproof::props::serve_as_worker(std::atoi(argv[2]));
    return printed(unless_interrupted(dispatch(argc, argv)));
  } catch (const gradproof::props::InputError& e) {
    std::cerr << "gradproof: " << e.what() << '\n';
    return gradproof::cli::kWrong;
  } catch (const std::bad_alloc&) {
    std::cerr << "gradproof: out of memory\n";
    return gradproof::cli::kWrong;
  }
}
