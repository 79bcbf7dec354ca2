// Declares the commands to CLI11, one function per command.
#include "props/cli/commands.h"

#include <CLI/CLI.hpp>

#include "props/cli/allowed.h"
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
      verify->add_option("--seconds", options.seconds, "Wall-clock time to run: 90, 90s, 2m, 1h")
          ->type_name("TIME")
          ->transform(time_between(1, 1e7))
          ->capture_default_str();
  verify->add_option("--cases", options.cases, "Number of cases to run instead of a time")
      ->check(whole_number(1, std::uint64_t{1} << 62))
      ->excludes(seconds);
  add_max_failures(*verify, options);
  add_seed(*verify, options, "gives the same cases");
  add_jobs(*verify, options, "Processes that share the cases; one with --no-fork");
  add_output(*verify, options);
  verify
      ->add_option_function<std::string>(
          "--shard", [&](const std::string& word) { options.shard = parse_shard(word); },
          "Run only every N-th case, starting with the I-th; the N shards together are the "
          "campaign")
      ->type_name("I/N");
  verify
      ->add_option_function<int>(
          "--phase", [&](int phase) { options.phase1_only = phase == 1; },
          "1: do not call phase 2, and check only statuses and messages of phase 1 (for an "
          "unfinished port)")
      ->type_name("1")
      ->check(whole_number(1, 1));
  verify
      ->add_option("--save", options.save,
                   "Write each finding to a file in this folder; `gradproof run DIR` runs them "
                   "again")
      ->type_name("DIR")
      ->check(not_empty());
  CLI::Option* database =
      verify
          ->add_option("--database", options.kept,
                       "Folder with the findings of earlier runs, which are run first")
          ->type_name("DIR")
          ->check(not_empty())
          ->capture_default_str();
  verify
      ->add_flag_callback(
          "--no-database", [&] { options.kept.clear(); },
          "Neither run findings of earlier runs nor store new ones")
      ->excludes(database);
  add_report(*verify, options, kReportFiles);
  add_known(*verify, options, true);
  add_details(*verify, options);
  verify->add_flag("--matrix", options.matrix,
                   "Print the boundary sides covered, by rule and argument");
  verify
      ->add_flag("--list-cases", options.list_cases,
                 "Print the cases without checking them: N with --cases N, else one sweep of the "
                 "contract; with --library, of its operators and products alone")
      ->excludes(seconds);  // without checking them it is unknown how many cases a time allows
  return verify;
}

CLI::App* declare_exhaust(CLI::App& program, Options& options) {
  CLI::App* exhaust = program.add_subcommand(
      "exhaust", "Check every small configuration of an axis instead of a sample");
  add_library(*exhaust, options);
  add_selectors(*exhaust, options);
  add_properties(*exhaust, options, "equivalence for valid calls, error-codes for invalid ones");
  exhaust
      ->add_option(
          "--at-most", options.at_most,
          "Largest extent and parameter. Default: up to 8 for pooling (strides up to 5), 7 "
          "for resizing, 5 for padding, 9 for adaptive pooling")
      ->check(whole_number(1, 9));
  add_max_failures(*exhaust, options);
  add_jobs(*exhaust, options, "Processes that share the calls; one with --no-fork");
  add_output(*exhaust, options);
  add_show(*exhaust, options);
  return exhaust;
}

CLI::App* declare_run(CLI::App& program, Options& options) {
  CLI::App* run =
      program.add_subcommand("run", "Check the cases in files: case lines, or CANN's ATK JSON");
  run->add_option("FILE", options.words,
                  "Case files, or folders with case files; - reads standard input")
      ->required();
  add_library(*run, options);
  add_selectors(*run, options);
  add_properties(*run, options, "error-codes, messages, equivalence, misuse");
  add_at_most(*run, options);
  add_known(*run, options, true);
  add_max_failures(*run, options);
  add_jobs(*run, options, "Processes that share the cases; one with --no-fork and --max-failures");
  add_output(*run, options);
  add_details(*run, options);
  add_report(*run, options, kReportFiles);
  return run;
}

CLI::App* declare_merge(CLI::App& program, Options& options) {
  CLI::App* merge =
      program.add_subcommand("merge", "Merge the reports of a campaign's shards into one");
  merge->add_option("REPORT", options.words, "report.json of each shard, or its folder")
      ->required();
  add_output(*merge, options);
  add_details(*merge, options);
  add_report(*merge, options, kReportFiles);
  merge->add_flag("--partial", options.partial,
                  "Merge the given reports even if shards are missing or were interrupted");
  return merge;
}

CLI::App* declare_repro(CLI::App& program, Options& options) {
  CLI::App* repro =
      program.add_subcommand("repro", "Check a single case and print its inputs and outputs");
  repro
      ->add_option("CASE", options.words,
                   "A case line; before it, one that is performed first and not judged")
      ->required()
      ->expected(1, 2);
  add_library(*repro, options);
  add_properties(*repro, options, "all that apply to the case");
  add_known(*repro, options, false);
  return repro;
}

CLI::App* declare_explain(CLI::App& program, Options& options) {
  CLI::App* explain =
      program.add_subcommand("explain", "Print what the contract requires of one case");
  explain->add_option("CASE", options.words, "A case line")->required()->expected(1);
  add_profile(*explain, options);
  return explain;
}

CLI::App* declare_emit(CLI::App& program, Options& options) {
  CLI::App* emit = program.add_subcommand(
      "emit", "Write a stand-alone program that runs one case, in C++ or Python");
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
      "list", "List operators, properties, rules, case classes, coverage points or profiles");
  list->add_option("WHAT", options.words)
      ->required()
      ->expected(1)
      ->type_name("operators|properties|rules|classes|points|profiles");
  add_selectors(*list, options);
  add_properties(*list, options, "all");
  list->add_flag("--markdown", options.markdown,
                 "Print the rules in Markdown, as in docs/rules.md");
  return list;
}

CLI::App* declare_help(CLI::App& program, Options& options) {
  CLI::App* help = program.add_subcommand("help", "Print help about a command or a topic");
  help->add_option("TOPIC", options.words,
                   "A command, or a topic: cases, selecting, status, findings")
      ->expected(0, 1);
  return help;
}

CLI::App* declare_corpus(CLI::App& program, Options& options) {
  CLI::App* corpus = program.add_subcommand(
      "corpus",
      "Write seeds for the fuzz targets: generated and boundary cases, one folder per target");
  corpus
      ->add_option("DIR", options.words,
                   "Output folder, created if missing; with --case, the output file")
      ->required()
      ->expected(1);
  corpus->add_option("--case", options.as_bytes,
                     "Write only this case, in the form that the fuzz targets read");
  add_seed(*corpus, options, "writes the same files");
  return corpus;
}

CLI::App* declare_selftest(CLI::App& program, Options& options) {
  CLI::App* selftest = program.add_subcommand(
      "selftest",
      "Run the campaign on libraries with one deliberate defect each, and report which are\n"
      "found, by which property, how fast, and with how small a counterexample");
  add_library(*selftest, options);
  selftest
      ->add_option("--faulty", options.faulty,
                   "Folder with the faulty libraries and their catalogue.json\n"
                   "(the build target `faulty` creates it in tests/faulty)")
      ->type_name("DIR")
      ->required();
  selftest
      ->add_option("--fault", options.faults,
                   "Name of a fault to test; may be repeated. Default: all of the catalogue")
      ->type_name("NAME")
      ->allow_extra_args(false);
  selftest
      ->add_option("--seconds-per-fault", options.seconds_per_fault,
                   "Time limit for finding each fault, and again for shrinking its counterexample")
      ->type_name("TIME")
      ->transform(time_between(1, 1e7))
      ->capture_default_str();
  selftest
      ->add_option("--sound-seconds", options.sound_seconds,
                   "Time for the unmodified library, which must have no finding; 0: skip it")
      ->type_name("TIME")
      ->transform(time_between(0, 1e7))
      ->capture_default_str();
  selftest
      ->add_option(
          "--ablation-cases", options.ablation_cases,
          "Cases per property on each fault, to see which other properties find it; 0: skip "
          "this")
      ->check(whole_number())
      ->capture_default_str();
  add_jobs(*selftest, options, "Faults tested in parallel");
  add_seed(*selftest, options, "gives the same cases");
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
