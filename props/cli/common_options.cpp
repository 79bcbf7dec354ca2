// Declares common options to CLI11.
#include "props/cli/common_options.h"

#include <CLI/CLI.hpp>
#include <limits>

#include "props/cli/allowed.h"
#include "props/report/report.h"
#include "props/subject/product.h"

namespace gradproof::cli {
namespace {

constexpr std::uint64_t kEvery = std::numeric_limits<std::uint64_t>::max();

std::string known_products() {
  std::string names;
  for (const ref::Product product : props::products_from(ref::Product::Ascend910))
    names += (names.empty() ? "" : ", ") + std::string(ref::name(product));
  return "a product (" + names + ") or a chip of one";
}

}  // namespace

void add_library(CLI::App& command, Options& options) {
  CLI::Option* library = command
                             .add_option("--library", options.library_words,
                                         "Shared library to test; repeat the option if it is "
                                         "split over several files\n"
                                         "(CANN: libascendcl.so, libnnopbase.so, libopapi.so). "
                                         "Default: the libgradproof next to this program")
                             ->type_name("PATH")
                             ->check(not_empty())
                             ->allow_extra_args(false);
  command
      .add_option("--exec", options.exec_word,
                  "Command of a process to test instead, which reads calls and writes results\n"
                  "(docs/pipe.md; in Python: gradproof.serve())")
      ->type_name("COMMAND")
      ->check(not_empty())
      ->excludes(library);
  command
      .add_option("--threads", options.subject.threads,
                  "Maximum number of threads of one call. Default: chosen by the library")
      ->check(whole_number(1, 1024));
  command
      .add_option("--assume-product", options.subject.assumed_product,
                  "Product (Ascend910B) or chip (Ascend910B3) whose rules apply if the library's\n"
                  "aclrtGetSocName does not report a known one")
      ->type_name("NAME")
      ->check([](const std::string& word) {
        return props::product_of_soc(word) ? "" : must_be(known_products(), word);
      });
  command
      .add_option("--timeout", options.timeout,
                  "Time after which a call counts as a hang; longer for large cases")
      ->type_name("TIME")
      ->transform(time_between(0.01, 1e6))
      ->capture_default_str();
  command.add_flag("!--no-fork", options.fork,
                   "Load the library into this process, for debuggers; a crash then ends the run, "
                   "and hangs are not detected");
  add_profile(command, options);
}

void add_profile(CLI::App& command, Options& options) {
  CLI::Option* profile =
      command
          .add_option(
              "--profile", options.profile_word,
              "Promises and known deviations of the library: documented, gradproof, cann,\n"
              "gradproof-cann, float-coordinates, or a JSON file (docs/profiles.md). Default:\n"
              "the profile that the library's gradproof_profile() names, else documented")
          ->type_name("NAME|FILE")
          ->check(not_empty());
  command
      .add_option_function<std::string>(
          "--accuracy",
          [&](const std::string& word) {
            if (word == "device") options.profile_word = "float-coordinates";
          },
          "Deprecated, removed in version 0.3; device: same as --profile float-coordinates")
      ->type_name("contract|device")
      ->check(one_of({"contract", "device"}))
      ->excludes(profile);
}

void add_known(CLI::App& command, Options& options, bool save) {
  command
      .add_option(
          "--known", options.known_word,
          "File of known findings, which are counted but do not fail the run; damaged memory "
          "fails it all the same, and a crash if the file has none")
      ->type_name("FILE")
      ->check(not_empty());
  if (!save) return;
  command
      .add_option("--save-known", options.save_known, "Write the findings to a file for --known")
      ->type_name("FILE")
      ->check(not_empty());
}

void add_selectors(CLI::App& command, Options& options) {
  const auto add = [&](const char* name, std::vector<std::string>& words, const char* about) {
    command.add_option(name, words, about)
        ->type_name("NAME")
        ->check(not_empty())
        ->allow_extra_args(false);
  };
  add("--operator", options.operator_words,
      "Operator, by stem or C name, or a pattern ('*_backward'); ^NAME excludes. May be\n"
      "repeated. The same applies to the five options below. Default: all");
  add("--type", options.type_words, "Element type: FLOAT, BF16, …");
  add("--rank", options.rank_words, "Number of dimensions: 3, 4 or 5");
  add("--format", options.format_words, "Format of tensors: NCHW, ND, …");
  add("--product", options.product_words, "Product whose rules apply: Ascend910B, …");
  add("--class", options.class_words,
      "Case class, such as empty or 'strided*'; see `gradproof list classes`");
}

void add_at_most(CLI::App& command, Options& options) {
  command.add_option("--at-most", options.at_most, "Largest extent of a tensor")
      ->type_name("N")
      ->check(whole_number(1, std::uint64_t{1} << 40));
}

void add_properties(CLI::App& command, Options& options, const std::string& fallback) {
  command
      .add_option("--property", options.property_words,
                  "Property to check, by name or pattern like --operator. Default: " + fallback)
      ->type_name("NAME")
      ->check(not_empty())
      ->allow_extra_args(false);
}

void add_seed(CLI::App& command, Options& options, const std::string& meaning) {
  command.add_option("--seed", options.seed, "The same seed " + meaning)
      ->check(whole_number())
      ->capture_default_str();
}

void add_jobs(CLI::App& command, Options& options, const std::string& meaning) {
  command.add_option("--jobs", options.jobs, meaning + ". Default: all, one per processor")
      ->type_name("N|all")
      ->transform(whole_number_or("all", 0, 1, 1024));
}

void add_max_failures(CLI::App& command, Options& options) {
  CLI::Option* most =
      command.add_option("--max-failures", options.max_failures, "Stop after N findings")
          ->type_name("N")
          ->check(whole_number(1, std::uint64_t{1} << 32));
  command
      .add_flag_callback(
          "-x", [&] { options.max_failures = 1; }, "Stop after the first finding")
      ->excludes(most);
}

void add_output(CLI::App& command, Options& options) {
  command.add_flag("-q,--quiet", options.quiet, "Print only one line per finding, and the verdict");
  command
      .add_option("--color", options.color,
                  "Use of colours. Default: auto, on a terminal unless NO_COLOR is set")
      ->type_name("auto|always|never")
      ->check(one_of({"auto", "always", "never"}));
  command.add_flag("--progress", options.progress,
                   "Show the progress line even if stderr is not a terminal");
}

void add_show(CLI::App& command, Options& options) {
  command
      .add_option(
          "--show", options.show,
          "Findings to print in full, most severe first; the others take a line each. Default: 20")
      ->type_name("N|all")
      ->transform(whole_number_or("all", kEvery, 0, kEvery));
}

void add_details(CLI::App& command, Options& options) {
  command
      .add_flag("-v,--verbose", options.verbose,
                "Also print how often each property was checked, and each kernel of a "
                "library that reports them ran, and what was not tested by name")
      ->excludes("--quiet");
  command
      .add_option("--durations", options.durations,
                  "Print the N slowest properties and the N slowest checks, at most 20")
      ->type_name("N")
      ->check(whole_number(1, report::Report::kSlowest));
  add_show(command, options);
}

void add_report(CLI::App& command, Options& options, const std::string& files) {
  command.add_option("--report", options.report, "Folder for " + files + "; created if missing")
      ->type_name("DIR")
      ->check(not_empty());
}

}  // namespace gradproof::cli
