// Declares the commands to CLI11, a function a command.
#include "props/cli/commands.h"

#include <CLI/CLI.hpp>

#include "props/cli/common_options.h"

namespace gradproof::cli {
namespace {

constexpr const char* kReportFiles = "report.html, report.json and junit.xml";

CLI::App* declare_verify(CLI::App& program, Options& options) {
  CLI::App* verify =
      program.add_subcommand("verify", "Check properties on generated cases and print a table");
  add_library(*verify, options);
  add_selectors(*verify, options);
  add_properties(*verify, options, "all");
  add_at_most(*verify, options);
  CLI::Option* seconds =
      verify->add_option("--seconds", options.seconds, "Wall time to take: 90, 90s, 2m, 1h")
          ->type_name("TIME")
          ->transform(time_between(0, 1e7))
          ->capture_default_str();
  verify->add_option("--cases", options.cases, "Number of cases to take instead of a time")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62))
      ->excludes(seconds);
  add_max_failures(*verify, options);
  add_seed(*verify, options, "gives the same cases");
  add_jobs(*verify, options, "Processes that share the cases; with --no-fork it is one");
  add_output(*verify, options);
  verify
      ->add_option_function<std::string>(
          "--shard", [&](const std::string& word) { options.shard = parse_shard(word); },
          "Take only every N-th case, beginning with the I-th: the N shards of a campaign are "
          "together\n"
          "the campaign")
      ->type_name("I/N");
  verify
      ->add_option_function<int>(
          "--phase", [&](int phase) { options.phase1_only = phase == 1; },
          "1: for an unfinished port, phase 2 is not called; only statuses and messages of phase "
          "1\n"
          "are checked")
      ->type_name("1")
      ->check(CLI::Range(1, 1));
  verify
      ->add_option("--save", options.save,
                   "Folder for the findings, one file each; `gradproof run DIR` tries them again")
      ->type_name("DIR")
      ->check(not_empty());
  CLI::Option* database =
      verify
          ->add_option("--database", options.kept,
                       "Folder of the findings of earlier runs, which are tried first")
          ->type_name("DIR")
          ->check(not_empty())
          ->capture_default_str();
  verify
      ->add_flag_callback(
          "--no-database", [&] { options.kept.clear(); },
          "Neither try findings of earlier runs nor keep new ones")
      ->excludes(database);
  add_report(*verify, options, kReportFiles);
  add_known(*verify, options, true);
  add_details(*verify, options);
  verify->add_flag("--matrix", options.matrix,
                   "Print which sides of which rules were covered, argument by argument");
  verify
      ->add_flag("--list-cases", options.list_cases,
                 "Print the cases instead of checking them: of --cases N, or of a sweep of the "
                 "contract")
      ->excludes(seconds);  // how many would fit into a time is not known without checking them
  return verify;
}

CLI::App* declare_exhaust(CLI::App& program, Options& options) {
  CLI::App* exhaust = program.add_subcommand(
      "exhaust", "Check every small configuration of an axis instead of a sample");
  add_library(*exhaust, options);
  add_selectors(*exhaust, options);
  add_properties(*exhaust, options, "equivalence for results, error-codes for refusals");
  exhaust
      ->add_option("--at-most", options.at_most,
                   "No extent and no parameter larger than this. Default: pooling of up to 8 "
                   "elements by up\n"
                   "to 8 with strides up to 5, resizing between 7 and 7, padding of 5, adaptive "
                   "pooling of 9 to 9")
      ->check(CLI::Range(1, 9));
  add_max_failures(*exhaust, options);
  add_output(*exhaust, options);
  return exhaust;
}

CLI::App* declare_run(CLI::App& program, Options& options) {
  CLI::App* run =
      program.add_subcommand("run", "Check the cases of files: case lines, or CANN's ATK JSON");
  run->add_option("FILE", options.words, "Case files, or folders of them; - is standard input")
      ->required();
  add_library(*run, options);
  add_selectors(*run, options);
  add_properties(*run, options, "error-codes, messages, equivalence, misuse");
  add_at_most(*run, options);
  add_known(*run, options, true);
  add_max_failures(*run, options);
  add_output(*run, options);
  add_details(*run, options);
  add_report(*run, options, kReportFiles);
  return run;
}

CLI::App* declare_merge(CLI::App& program, Options& options) {
  CLI::App* merge =
      program.add_subcommand("merge", "Join the reports of a campaign's shards into one");
  merge
      ->add_option("REPORT", options.words,
                   "Each shard's report.json, or the folder that it lies in")
      ->required();
  add_output(*merge, options);
  add_details(*merge, options);
  add_report(*merge, options, kReportFiles);
  merge->add_flag("--partial", options.partial,
                  "Join what is there, even if shards are missing or were interrupted");
  return merge;
}

CLI::App* declare_repro(CLI::App& program, Options& options) {
  CLI::App* repro =
      program.add_subcommand("repro", "Check one case alone and show what went in and came out");
  repro->add_option("CASE", options.words, "A case line")->required()->expected(1);
  add_library(*repro, options);
  add_properties(*repro, options, "all that apply to the case");
  add_known(*repro, options, false);
  return repro;
}

CLI::App* declare_explain(CLI::App& program, Options& options) {
  CLI::App* explain =
      program.add_subcommand("explain", "Print what the contract says about one case");
  explain->add_option("CASE", options.words, "A case line")->required()->expected(1);
  add_profile(*explain, options);
  return explain;
}

CLI::App* declare_emit(CLI::App& program, Options& options) {
  CLI::App* emit = program.add_subcommand(
      "emit", "Write a program that shows one case without gradproof: C++, or Python");
  emit->add_option("CASE", options.words, "A case line")->required()->expected(1);
  emit->add_flag("--python", options.python, "Write Python, which loads the library with ctypes");
  add_profile(*emit, options);
  return emit;
}

CLI::App* declare_reference(CLI::App& program, Options&) {
  return program.add_subcommand(
      "reference", "Read calls from stdin, write exact values and bounds to stdout (docs/pipe.md)");
}

CLI::App* declare_list(CLI::App& program, Options& options) {
  CLI::App* list = program.add_subcommand(
      "list", "Print what there is: operators, properties, rules, classes, points or profiles");
  list->add_option("WHAT", options.words)
      ->required()
      ->expected(1)
      ->type_name("operators|properties|rules|classes|points|profiles");
  add_selectors(*list, options);
  add_properties(*list, options, "all");
  list->add_flag("--markdown", options.markdown, "Print the rules as a page: docs/rules.md");
  return list;
}

CLI::App* declare_help(CLI::App& program, Options& options) {
  CLI::App* help = program.add_subcommand("help", "Print help about a command or a topic");
  help->add_option("TOPIC", options.words, "A command, or cases, selecting, status, findings")
      ->expected(0, 1);
  return help;
}

CLI::App* declare_corpus(CLI::App& program, Options& options) {
  CLI::App* corpus = program.add_subcommand(
      "corpus",
      "Write seeds for the fuzz targets: generated cases and boundary cases, a folder a target");
  corpus->add_option("DIR", options.words, "Folder, made if there is none; with --case a file")
      ->required()
      ->expected(1);
  corpus->add_option("--case", options.as_bytes,
                     "Write only this case line, as a target on cases reads it");
  add_seed(*corpus, options, "writes the same files");
  return corpus;
}

CLI::App* declare_selftest(CLI::App& program, Options& options) {
  CLI::App* selftest = program.add_subcommand(
      "selftest",
      "Run the campaign on libraries with one deliberate defect each: which are caught,\n"
      "by what, how fast, with how small a counterexample");
  add_library(*selftest, options);
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
      ->type_name("TIME")
      ->transform(time_between(0, 1e7))
      ->capture_default_str();
  selftest
      ->add_option("--sound-seconds", options.sound_seconds,
                   "Time for the unmodified library, which must raise no alarm; 0: leave it out")
      ->type_name("TIME")
      ->transform(time_between(0, 1e7))
      ->capture_default_str();
  selftest
      ->add_option(
          "--ablation-cases", options.ablation_cases,
          "Cases on which each other property is tried on each fault, to find out which of "
          "them catch it too; 0: leave it out")
      ->check(whole_number())
      ->capture_default_str();
  add_jobs(*selftest, options, "Faults tried at the same time");
  add_seed(*selftest, options, "asks the same cases");
  add_report(*selftest, options, "report.html");
  return selftest;
}

constexpr Command kCommands[] = {
    {declare_verify, verify}, {declare_exhaust, exhaust},   {declare_run, run_files},
    {declare_merge, merge},   {declare_repro, repro},       {declare_explain, explain},
    {declare_emit, emit},     {declare_list, list},         {declare_help, help},
    {declare_corpus, corpus}, {declare_selftest, selftest}, {declare_reference, reference},
};

}  // namespace

std::span<const Command> all_commands() { return kCommands; }

}  // namespace gradproof::cli
