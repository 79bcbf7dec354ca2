// Looks up names, and suggests the nearest one for a wrong name.
#include "props/cli/options.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <utility>

#include "props/campaign/finding.h"
#include "props/cases/input_error.h"
#include "props/cases/listed.h"
#include "props/cli/allowed.h"
#include "props/cli/select.h"
#include "props/report/text.h"

namespace gradproof::cli {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row.back();
}

/// A library that was built or installed together with this program.
/// @param built  its folder in the build tree, seen from this program
/// @param installed  its folder in an installation
std::string own_library(const char* name, const char* built, const char* installed) {
  std::error_code error;
  const std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  std::string tried;
  for (const char* folder : {built, installed}) {
    const std::filesystem::path file = (self / folder / name).lexically_normal();
    if (std::filesystem::exists(file, error)) return file.string();
    tried += "\n  " + file.string();
  }
  throw props::InputError("cannot find " + std::string(name) + "; tried:" + tried);
}

/// The default library to test.
std::string libgradproof() {
  return own_library(GRADPROOF_LIBRARY_NAME, GRADPROOF_BUILD_LIBRARY_DIR,
                     GRADPROOF_INSTALL_LIBRARY_DIR);
}

/// The library that passes calls to a process.
std::string pipe_library() {
  return own_library(GRADPROOF_PIPE_NAME, GRADPROOF_BUILD_PIPE_DIR,
                     GRADPROOF_INSTALL_LIBRARY_DIR "/gradproof");
}

/// What the library needs of the environment when a command is repeated: the runtime of a
/// sanitizer, and its options. By `env`, so that it may follow `gdb --args`. Empty if nothing is
/// preloaded.
std::string environment() {
  if (const char* preload = std::getenv("LD_PRELOAD"); preload == nullptr || *preload == '\0')
    return "";
  std::string words = "env ";
  for (const std::string name : {"LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name.c_str()); value != nullptr)
      words += report::shell_word(name + "=" + value) + " ";
  }
  return words;
}

/// Throws InputError if two paths are one file: the second adds nothing, so it was meant to be
/// another one.
void demand_different_files(const std::vector<std::string>& paths) {
  std::error_code not_a_file;  // but a name for the loader's search path
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (paths[i] == paths[j])
        throw props::InputError("--library: '" + paths[i] + "' is given twice");
      if (std::filesystem::equivalent(paths[j], paths[i], not_a_file))
        throw props::InputError("--library: '" + paths[j] + "' and '" + paths[i] +
                                "' are the same file; give it once");
    }
  }
}

/// A shorter word begins too many names.
constexpr std::size_t kShortestBeginning = 4;

std::string known_names(const std::vector<std::string_view>& known) {
  return "\nKnown:\n  " + props::listed(known, "\n  ");
}

}  // namespace

std::string tasks_library() try {
  return own_library(GRADPROOF_TASKS_NAME, GRADPROOF_BUILD_TASKS_DIR,
                     GRADPROOF_INSTALL_LIBRARY_DIR "/gradproof");
} catch (const props::InputError&) {
  return "";
}

std::string suggestion(const std::string& word, const std::vector<std::string_view>& known) {
  // The beginning of a name is a name that somebody did not want to write in full.
  std::string text;
  for (const std::string_view name : known) {
    if (word.size() >= kShortestBeginning && name.starts_with(word))
      text += (text.empty() ? "; did you mean '" : " or '") + std::string(name) + "'";
  }
  if (!text.empty()) return text + "?";
  const auto nearest =
      std::min_element(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
        return distance(word, a) < distance(word, b);
      });
  if (nearest == known.end()) return "";
  const std::size_t wrong = distance(word, *nearest);
  // A name of which nothing is right is another name.
  return wrong <= word.size() / 3 + 1 && wrong < word.size()
             ? "; did you mean '" + std::string(*nearest) + "'?"
             : "";
}

props::InputError unknown(const std::string& what, const std::string& word,
                          const std::vector<std::string_view>& known) {
  return props::InputError("unknown " + what + " '" + word + "'" + suggestion(word, known) +
                           known_names(known));
}

props::InputError nothing_left(const std::string& what,
                               const std::vector<std::string_view>& known) {
  return props::InputError("the patterns exclude every " + what + known_names(known));
}

ref::Operator parse_operator(const std::string& word) {
  std::vector<std::string_view> known;
  for (int i = 0; i < ref::kOperatorCount; ++i) {
    const ref::Signature& signature = ref::signature(static_cast<ref::Operator>(i));
    if (word == signature.stem || word == signature.api) return signature.op;
    known.push_back(signature.stem);
  }
  throw unknown("operator", word, known);
}

std::vector<const props::Property*> parse_properties(const std::vector<std::string>& words) {
  std::vector<const props::Property*> all;
  for (const props::Property& property : props::properties()) all.push_back(&property);
  return chosen(words, "property", all,
                [](const props::Property* property) { return Names{property->name}; });
}

campaign::Shard parse_shard(const std::string& word) {
  campaign::Shard shard;
  const char* end = word.data() + word.size();
  const auto [slash, bad_index] = std::from_chars(word.data(), end, shard.index);
  if (bad_index == std::errc{} && slash != end && *slash == '/') {
    const auto [rest, bad_count] = std::from_chars(slash + 1, end, shard.count);
    if (bad_count == std::errc{} && rest == end && shard.index >= 1 && shard.index <= shard.count)
      return shard;
  }
  throw props::InputError("--shard: " + must_be("I/N with 1 <= I <= N", word));
}

campaign::Settings settings(const Options& options) {
  campaign::Settings s = options;
  select(options, s);
  for (const props::Property* property : s.properties) {
    const std::vector<const props::Property*>& by_pattern = s.properties_by_pattern;
    const bool named =
        std::find(by_pattern.begin(), by_pattern.end(), property) == by_pattern.end();
    if (s.phase1_only && property->runs && named)
      throw props::InputError("--phase 1 cannot check the property '" +
                              std::string(property->name) + "', which calls phase 2");
  }
  demand_different_files(options.library_words);
  s.subject.libraries = !options.exec_word.empty()      ? std::vector{pipe_library()}
                        : options.library_words.empty() ? std::vector{libgradproof()}
                                                        : options.library_words;
  s.subject.command = options.exec_word;
  s.repro_environment = environment();
  if (!options.exec_word.empty())
    s.repro_options += " --exec " + report::shell_word(options.exec_word);
  for (const std::string& path : options.library_words)
    s.repro_options += " --library " + report::shell_word(path);
  if (s.subject.threads > 0) s.repro_options += " --threads " + std::to_string(s.subject.threads);
  if (!s.subject.assumed_product.empty())
    s.repro_options += " --assume-product " + s.subject.assumed_product;
  if (!options.known_word.empty())
    s.known = profiles::KnownList::read(options.known_word, props::property_names());
  if (!options.profile_word.empty()) {
    const profiles::Profile profile = profiles::find_profile(options.profile_word);
    s.subject.profile = profile.text;
    s.subject.profile_file = profile.file;
    s.repro_options += " --profile " + report::shell_word(options.profile_word);
  }
  return s;
}

}  // namespace gradproof::cli
