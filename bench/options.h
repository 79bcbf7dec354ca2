// The command line of gradproof_bench.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gradproof::bench {

struct Options {
  enum class Command : unsigned char { table, compare, ablate } command = Command::table;
  std::string configurations;          ///< path of the table
  std::vector<std::string> libraries;  ///< one for the table, two to compare
  std::string filter;                  ///< regular expression that a part of NAME/TYPE/THREADS fits
  std::vector<std::string> peers;      ///< who else takes part: "limit", "ref", "aten", …
  std::vector<std::int32_t> types;     ///< empty: those of each configuration
  std::vector<int> threads;            ///< 0: all
  std::vector<std::string> instruction_sets;  ///< for ablate; "": the one that is configured
  int rounds = 15;
  std::string output;                  ///< folder for results; empty: none
  std::vector<std::string> benchmark;  ///< arguments for Google Benchmark
};

/// Reads the arguments into `options`. The exit status if there is nothing more to do: 0 after
/// --help, 2 after a mistake, both with their text printed.
std::optional<int> parse_options(int argc, char** argv, Options& options);

}  // namespace gradproof::bench
