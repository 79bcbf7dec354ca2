// The parsed command line, and the look-up of its operators, properties and libraries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "props/campaign/settings.h"
#include "props/cases/input_error.h"

namespace CLI {
class App;
}

namespace gradproof::cli {

struct Options : campaign::Settings {
  // Words of the command line; settings() converts them to the fields of Settings.
  std::vector<std::string> library_words;  ///< empty: the libgradproof that belongs to this program
  std::string exec_word;  ///< command of a process to test instead of a library; empty: none
  std::vector<std::string> operator_words;  ///< empty: all operators of the library
  std::vector<std::string> property_words;  ///< empty: all
  std::vector<std::string> type_words, rank_words, format_words, product_words, class_words;
  std::string known_word;    ///< file of known findings; empty: none
  std::string save_known;    ///< file that the findings are written to; empty: none
  std::string profile_word;  ///< a shipped profile's name or a file; empty: the library names it
  std::string kept = ".gradproof";  ///< verify: folder of earlier findings; empty: none
  std::vector<std::string> words;   ///< files, or the case
  std::int64_t at_most = 0;         ///< largest extent; 0: any
  std::string color = "auto";       ///< "always", "never"; auto: on a terminal
  bool quiet = false;               ///< one line per finding, and the verdict
  bool verbose = false;             ///< the table of properties too
  std::size_t durations = 0;        ///< of the slowest checks, how many are printed
  std::size_t show = 20;            ///< findings that are printed in full
  bool matrix = false;              ///< print the matrix of rules, arguments and sides
  bool list_cases = false;
  const CLI::App* program = nullptr;  ///< help: the commands
  bool python = false;                ///< emit: a Python program
  bool markdown = false;              ///< list rules: as the page docs/rules.md
  std::string report;                 ///< folder for the report's files; empty: none
  bool partial = false;               ///< merge: shards may be missing
  int jobs = 0;          ///< verify and selftest: parallel processes; 0: one per processor
  std::string as_bytes;  ///< corpus: this case alone, into a file
  // Of selftest.
  std::string faulty;               ///< folder with the catalogue of faulty libraries
  std::vector<std::string> faults;  ///< empty: all of the catalogue
  double seconds_per_fault = 10;
  double sound_seconds = 10;           ///< on the unmodified library; 0: skip it
  std::uint64_t ablation_cases = 100;  ///< for each property on each fault; 0: no ablation
};

/// The settings of a campaign: looks up names and finds the library. Throws InputError that
/// suggests the nearest known name, or lists where it looked for a library.
campaign::Settings settings(const Options& options);

/// The library that runs tasks of oneTBB (props/services/tbb_tasks.h); "" if it is not there.
std::string tasks_library();

/// "; did you mean 'NAME'?" of the nearest known name; "" if none is near.
std::string suggestion(const std::string& word, const std::vector<std::string_view>& known);
/// Error for an unknown `word`: suggests the nearest known name and lists all.
props::InputError unknown(const std::string& what, const std::string& word,
                          const std::vector<std::string_view>& known);
/// Error for patterns that exclude every `what`: lists all.
props::InputError nothing_left(const std::string& what, const std::vector<std::string_view>& known);
/// "I/N". Throws InputError.
campaign::Shard parse_shard(const std::string& word);

/// Exit status: every check passed; one failed; the library cannot be judged, because the command
/// is wrong or the host lacks memory, disk or threads; part of the selection was not checked.
inline constexpr int kPassed = 0, kFailed = 1, kCannotJudge = 2, kNotTested = 5;

/// By stem ("replication_pad2d") or C name ("aclnnReplicationPad2d"). Throws InputError that
/// suggests the nearest known name.
ref::Operator parse_operator(const std::string& word);
/// By name or pattern. Throws InputError if one of them matches nothing.
std::vector<const props::Property*> parse_properties(const std::vector<std::string>& words);
int verify(const Options& options);
int exhaust(const Options& options);
int run_files(const Options& options);
int repro(const Options& options);
int help(const Options& options);
int explain(const Options& options);
int emit(const Options& options);
int list(const Options& options);
int merge(const Options& options);
int corpus(const Options& options);
int selftest(const Options& options);
int reference(const Options& options);

}  // namespace gradproof::cli
