// What --operator, --type, --class and similar options select.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "props/campaign/selection.h"
#include "props/cli/options.h"

namespace gradproof::cli {

/// The names of one thing: an operator has two.
using Names = std::vector<std::string_view>;

/// Those of `all` that the words select, by name or pattern (campaign::Globs), in the order of
/// `all`; without words, all. If a word matches nothing or nothing is left, throws InputError that
/// lists the known names.
template <class Thing, class NamesOf>
std::vector<Thing> chosen(const std::vector<std::string>& words, const std::string& what,
                          const std::vector<Thing>& all, const NamesOf& names_of) {
  const auto fits = [](const std::string& word, const Names& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return campaign::Globs::fits(word, name); });
  };
  std::vector<std::string_view> known;
  for (const Thing& thing : all) known.push_back(names_of(thing).front());
  for (const std::string& word : words) {
    const bool any = std::any_of(all.begin(), all.end(),
                                 [&](const Thing& thing) { return fits(word, names_of(thing)); });
    if (!any) throw unknown(what, word, known);
  }
  std::vector<Thing> taken;
  for (const Thing& thing : all) {
    if (campaign::Globs(words).takes(names_of(thing))) taken.push_back(thing);
  }
  if (taken.empty()) throw nothing_left(what, known);
  return taken;
}

/// Operators, properties and selection of the settings. Throws InputError.
void select(const Options& options, campaign::Settings& settings);
/// The operators that are selected, or all.
std::vector<ref::Operator> selected_operators(const campaign::Settings& settings);

}  // namespace gradproof::cli
