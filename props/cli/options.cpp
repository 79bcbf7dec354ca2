// Names to things, with a suggestion where a name is wrong.
#include "props/cli/options.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <numeric>
#include <utility>

#include "props/campaign/finding.h"
#include "props/cases/input_error.h"

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
  throw props::InputError(std::string(name) + " is at none of its places:" + tried);
}

/// What is judged unless the command line says otherwise.
std::string libgradproof() {
  return own_library(GRADPROOF_LIBRARY_NAME, GRADPROOF_BUILD_LIBRARY_DIR,
                     GRADPROOF_INSTALL_LIBRARY_DIR);
}

/// The library behind which a process computes.
std::string pipe_library() {
  return own_library(GRADPROOF_PIPE_NAME, GRADPROOF_BUILD_PIPE_DIR,
                     GRADPROOF_INSTALL_LIBRARY_DIR "/gradproof");
}

}  // namespace

props::InputError unknown(const std::string& what, const std::string& word,
                          const std::vector<std::string_view>& known) {
  const auto nearest =
      std::min_element(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
        return distance(word, a) < distance(word, b);
      });
  std::string text = "no " + what + " is called '" + word + "'";
  if (distance(word, *nearest) <= word.size() / 2 + 1)
    text += "; did you mean '" + std::string(*nearest) + "'?";
  text += "\nKnown:";
  for (std::string_view name : known) text += "\n  " + std::string(name);
  return props::InputError(text);
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
  std::vector<const props::Property*> chosen;
  std::vector<std::string_view> known;
  for (const props::Property& property : props::properties()) {
    known.push_back(property.name);
    if (words.empty()) chosen.push_back(&property);
  }
  for (const std::string& word : words) {
    const props::Property* property = props::find_property(word);
    if (property == nullptr) throw unknown("property", word, known);
    chosen.push_back(property);
  }
  return chosen;
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
  throw props::InputError("--shard takes I/N with 1 <= I <= N, not '" + word + "'");
}

campaign::Settings settings(const Options& options) {
  campaign::Settings s = options;
  for (const std::string& word : options.operator_words) {
    const ref::Operator op = parse_operator(word);
    if (std::find(s.operators.begin(), s.operators.end(), op) == s.operators.end())
      s.operators.push_back(op);
  }
  if (!options.property_words.empty()) s.properties = parse_properties(options.property_words);
  for (const props::Property* property : s.properties) {
    if (s.phase1_only && property->runs)
      throw props::InputError("--phase 1 never checks the property '" +
                              std::string(property->name) + "', which calls phase 2");
  }
  s.subject.libraries = !options.exec_word.empty()      ? std::vector{pipe_library()}
                        : options.library_words.empty() ? std::vector{libgradproof()}
                                                        : options.library_words;
  s.subject.command = options.exec_word;
  if (!options.exec_word.empty())
    s.repro_options += " --exec " + campaign::quoted(options.exec_word);
  for (const std::string& path : options.library_words)
    s.repro_options += " --library " + campaign::quoted(path);
  if (s.subject.threads > 0) s.repro_options += " --threads " + std::to_string(s.subject.threads);
  if (!s.subject.assumed_product.empty())
    s.repro_options += " --assume-product " + s.subject.assumed_product;
  if (!options.known_word.empty()) s.known = profiles::KnownList::read(options.known_word);
  if (!options.profile_word.empty()) {
    const profiles::Profile profile = profiles::find_profile(options.profile_word);
    s.subject.profile = profile.text;
    s.subject.profile_file = profile.file;
    s.repro_options += " --profile " + campaign::quoted(options.profile_word);
  }
  return s;
}

}  // namespace gradproof::cli
