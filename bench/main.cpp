// gradproof_bench: how fast, against whom, and how far from the memory's speed.
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "bench/campaign.h"
#include "bench/write.h"

namespace {

std::string quoted(const std::string& word) {
  const bool plain = word.find_first_of(" |()*?[]\\$^<>&;") == std::string::npos;
  return plain ? word : "'" + word + "'";
}

/// The command that a reader types, without the place where the results went.
std::string command_of(int argc, char** argv) {
  std::string command = "./run bench";
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--output")
      ++i;
    else
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
    const bool compare = options.command == Options::Command::compare;
    if (!campaign.results.empty())  // there are none where benchmarks are only listed
      std::fputs((compare ? comparison : table)(campaign.results).c_str(), stdout);
    if (!compare && !options.output.empty())
      write_results(options.output, campaign.results, command_of(argc, argv));
    for (const std::string& error : campaign.errors)
      std::fprintf(stderr, "gradproof_bench: %s\n", error.c_str());
    return campaign.errors.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gradproof_bench: %s\n", error.what());
    return 2;
  }
}
