// gradproof_bench: how fast, against whom, and how far from the memory's speed.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "bench/campaign.h"
#include "bench/write.h"

namespace {

/// A word as a shell reads it back.
std::string quoted(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("%+,-./:=@_").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The command that a reader types, without the place where the results went.
std::string command_of(int argc, char** argv) {
  std::string command = "./run bench";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--output")
      ++i;
    else if (!word.starts_with("--output="))
      command += " " + quoted(argv[i]);
  }
  return command;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gradproof::bench;
  Options options;
  if (const std::optional<int> status = parse_options(argc, argv, options)) return *status;
  try {
    const Campaign campaign = run_campaign(options);
    using Command = Options::Command;
    const std::string command = command_of(argc, argv);
    const std::vector<Result>& results = campaign.results;
    const std::string text = options.command == Command::compare  ? comparison(results)
                             : options.command == Command::ablate ? ablation(results, command)
                                                                  : table(results);
    if (!results.empty())  // there are none where benchmarks are only listed
      std::fputs(text.c_str(), stdout);
    if (options.command == Command::table && !options.output.empty())
      write_results(options.output, results, command);
    for (const std::string& error : campaign.errors)
      std::fprintf(stderr, "gradproof_bench: %s\n", error.c_str());
    return campaign.errors.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gradproof_bench: %s\n", error.what());
    return 2;
  }
}
