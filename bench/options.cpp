// Reads the command line.
#include "bench/options.h"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "ref/element.h"

namespace gradproof::bench {
namespace {

std::vector<int> thread_counts(const std::vector<std::string>& words) {
  std::vector<int> counts;
  for (const std::string& word : words) {
    std::size_t used = 0;
    int count = 0;
    try {
      count = word == "all" ? 0 : std::stoi(word, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (word != "all" && (used != word.size() || count < 1))
      throw CLI::ValidationError("--threads", "'" + word + "' is neither a number nor 'all'");
    counts.push_back(count);
  }
  return counts;
}

std::vector<std::int32_t> types_of(const std::vector<std::string>& words) {
  std::vector<std::int32_t> types;
  for (const std::string& word : words) {
    const std::optional<std::int32_t> type = ref::dtype_from_name(word);
    if (!type) throw CLI::ValidationError("--types", "'" + word + "' is no type");
    types.push_back(*type);
  }
  return types;
}

void read(CLI::App& app, int argc, char** argv, Options& options) {
  options.configurations = GRADPROOF_BENCH_CONFIGURATIONS;
  std::vector<std::string> types, threads;
  const std::vector<std::string> peers = {"limit",       "aten", "onednn",
                                          "onednn_best", "ref",  "contiguous"};
  options.peers = peers;
  std::string library = GRADPROOF_BENCH_LIBRARY;

  app.allow_extras();  // --benchmark_…: for Google Benchmark
  app.add_option("--configurations", options.configurations, "the table of what is measured");
  app.add_option("--filter", options.filter, "only where a part of NAME/TYPE/THREADS fits");
  app.add_option("--types", types, "only these: FLOAT,BF16,FLOAT16")->delimiter(',');
  app.add_option("--threads", threads, "numbers of threads, or 'all'")->delimiter(',');
  app.add_option("--rounds", options.rounds, "samples of each contestant")
      ->check(CLI::Range(1, 10000));
  app.add_option("--peers", options.peers, "who else takes part, where it was found")
      ->delimiter(',')
      ->check(CLI::IsMember(peers));
  app.add_option("--library", library, "measure this build instead of the one beside it");
  app.add_option("--output", options.output, "folder for results.json and the plots");
  CLI::App* compare = app.add_subcommand("compare", "two builds in turn: how much faster is B?");
  compare->allow_extras();
  std::string a, b;
  compare->add_option("A", a, "a library")->required()->check(CLI::ExistingFile);
  compare->add_option("B", b, "another")->required()->check(CLI::ExistingFile);
  compare->fallthrough();
  CLI::App* ablate = app.add_subcommand(
      "ablate", "each call without the kernel that it runs: how much faster is that kernel?");
  ablate->allow_extras();
  options.instruction_sets = {""};
  ablate->add_option("--instruction-sets", options.instruction_sets, "such as avx2,avx512")
      ->delimiter(',');
  ablate->fallthrough();
  app.parse(argc, argv);

  if (ablate->parsed()) options.command = Options::Command::ablate;
  if (threads.empty())
    threads =
        ablate->parsed() ? std::vector<std::string>{"1"} : std::vector<std::string>{"1", "all"};
  if (compare->parsed()) {
    options.command = Options::Command::compare;
    options.libraries = {a, b};
  } else {
    options.libraries = {library};
  }
  if (options.command != Options::Command::table && !options.output.empty())
    throw CLI::ValidationError("--output", "compare and ablate print their results alone");
  options.types = types_of(types);
  options.threads = thread_counts(threads);
  options.benchmark = app.remaining(true);
  for (const std::string& extra : options.benchmark) {
    if (extra.rfind("--benchmark", 0) != 0) throw CLI::ExtrasError({extra});
  }
}

}  // namespace

std::optional<int> parse_options(int argc, char** argv, Options& options) {
  CLI::App app("Times the gradients against peers and against the memory's own speed.",
               "gradproof_bench");
  try {
    read(app, argc, argv, options);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
}

}  // namespace gradproof::bench
