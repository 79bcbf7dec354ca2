// What the command line asked for, and how its words become operators, properties and libraries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/input_error.h"
#include "props/properties/property.h"

namespace gradproof::cli {

/// Shard I of N takes every case whose number leaves the remainder I − 1 when divided by N.
struct Shard {
  int index = 1, count = 1;
};

struct Options {
  std::vector<std::string> libraries;   ///< empty: the libgradproof that belongs to this program
  std::vector<std::string> operators;   ///< empty: all that the library has
  std::vector<std::string> properties;  ///< empty: all
  std::vector<std::string> words;       ///< files, or the case
  double seconds = 60;
  std::uint64_t cases = 0;  ///< 0: as many as fit into `seconds`
  std::uint64_t seed = 1;
  std::int64_t at_most = 0;  ///< of `exhaust`: nothing larger; 0: its whole scope
  int threads = 0;           ///< 0: the library's default
  ref::Accuracy accuracy = ref::Accuracy::contract;
  double timeout = 20;  ///< seconds for one check
  bool fork = true;     ///< the library runs in a process of its own
  bool progress = false;
  bool matrix = false;  ///< print the matrix of rules, arguments and sides
  bool list_cases = false;
  bool markdown = false;  ///< list rules: as the page docs/rules.md
  Shard shard;
  std::string report;          ///< folder for the report's files; empty: none
  bool partial = false;        ///< merge: shards may be missing
  bool stop_at_first = false;  ///< a campaign ends with its first failure
  double shrink_seconds = 2;   ///< to make a counterexample small; more where it hangs
  std::string as_bytes;        ///< corpus: this case alone, into a file
  // Of selftest.
  std::string faulty;               ///< folder with the catalogue of faulty libraries
  std::vector<std::string> faults;  ///< empty: all of the catalogue
  double seconds_per_fault = 10;
  double sound_seconds = 10;  ///< on the sound library, which must raise no alarm; 0: not at all
  std::uint64_t ablation_cases = 100;  ///< for each property on each fault; 0: no ablation
  int jobs = 0;                        ///< 0: one a processor
};

/// That no `what` is called `word`, with the nearest of the known names and all of them.
props::InputError unknown(const std::string& what, const std::string& word,
                          const std::vector<std::string_view>& known);
/// "I/N". Throws InputError.
Shard parse_shard(const std::string& word);
/// "contract" or "device". Throws InputError.
ref::Accuracy parse_accuracy(const std::string& word);

/// Exit status: every property held; something was violated; the question was wrong.
inline constexpr int kHeld = 0, kViolated = 1, kWrong = 2;

/// By stem ("replication_pad2d") or C name ("aclnnReplicationPad2d"). Throws InputError that
/// suggests the nearest known name.
ref::Operator parse_operator(const std::string& word);
std::vector<const props::Property*> parse_properties(const std::vector<std::string>& words);
/// The files given, or the library that belongs to this program. Throws InputError if it is not
/// there.
std::vector<std::string> library_paths(const Options& options);
/// The operators asked for that the library has; says on stderr which ones it lacks. Throws
/// InputError if none is left.
std::vector<ref::Operator> choose_operators(const Options& options,
                                            const std::vector<ref::Operator>& there);

/// " --library PATH" for each library given: the end of a repro line.
std::string library_options(const Options& options);
/// The word in single quotes for a shell.
std::string quoted(const std::string& word);

int verify(const Options& options);
int exhaust(const Options& options);
int run_files(const Options& options);
int repro(const Options& options);
int explain(const Options& options);
int list(const Options& options);
int merge(const Options& options);
int corpus(const Options& options);
int selftest(const Options& options);

}  // namespace gradproof::cli
