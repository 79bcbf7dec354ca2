// Converts names and patterns to a selection.
#include "props/cli/select.h"

#include <set>

#include "props/campaign/finding.h"
#include "props/cases/listed.h"
#include "props/report/text.h"
#include "ref/element.h"

namespace gradproof::cli {
namespace {

std::vector<ref::Operator> all_operators() {
  std::vector<ref::Operator> all;
  for (int i = 0; i < ref::kOperatorCount; ++i) all.push_back(static_cast<ref::Operator>(i));
  return all;
}

/// The distinct values of one attribute of the operators' coverage points.
template <class NameOf>
std::vector<std::string> names_in_points(const std::vector<ref::Operator>& operators,
                                         const NameOf& name_of) {
  std::vector<std::string> names;
  for (const ref::Operator op : operators) {
    for (const props::CoveragePoint& point : props::coverage_points(op)) {
      std::string name(name_of(point));
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return names;
}

/// The words as patterns, each of which matches at least one of the names.
campaign::Globs globs(const std::string& what, const std::vector<std::string>& words,
                      const std::vector<std::string>& names) {
  chosen(words, what, names, [](const std::string& name) { return Names{name}; });
  return campaign::Globs(words);
}

/// Those that only a pattern selected.
template <class Thing, class NamesOf>
std::vector<Thing> by_pattern(const std::vector<std::string>& words,
                              const std::vector<Thing>& taken, const NamesOf& names_of) {
  std::vector<Thing> unnamed;
  for (const Thing& thing : taken) {
    if (!campaign::Globs(words).names(names_of(thing))) unnamed.push_back(thing);
  }
  return unnamed;
}

bool is_pattern(const std::string& word) {
  return word.starts_with('^') || word.find_first_of("*?[") != std::string::npos;
}

/// The options that select part of the contract, without operators and properties named exactly.
std::string as_options(const Options& options) {
  std::string text;
  const auto add = [&](const char* option, const std::vector<std::string>& words, bool patterns) {
    for (const std::string& word : words) {
      if (!patterns || is_pattern(word))
        text += std::string(" --") + option + ' ' + report::shell_word(word);
    }
  };
  add("operator", options.operator_words, true);
  add("property", options.property_words, true);
  add("type", options.type_words, false);
  add("rank", options.rank_words, false);
  add("format", options.format_words, false);
  add("product", options.product_words, false);
  add("class", options.class_words, false);
  if (options.at_most > 0) text += " --at-most " + std::to_string(options.at_most);
  return text;
}

std::string list(const char* name, const std::vector<std::string>& names) {
  return std::string("\n  ") + name + ": " + props::listed({names.begin(), names.end()}, " ");
}

}  // namespace

void select(const Options& options, campaign::Settings& settings) {
  const auto operator_names = [](ref::Operator op) {
    return Names{ref::signature(op).stem, ref::signature(op).api};
  };
  if (!options.operator_words.empty()) {
    settings.operators =
        chosen(options.operator_words, "operator", all_operators(), operator_names);
    settings.operators_by_pattern =
        by_pattern(options.operator_words, settings.operators, operator_names);
  }
  if (!options.property_words.empty()) {
    settings.properties = parse_properties(options.property_words);
    settings.properties_by_pattern =
        by_pattern(options.property_words, settings.properties,
                   [](const props::Property* property) { return Names{property->name}; });
  }
  const std::vector<ref::Operator> operators = selected_operators(settings);
  const auto types = names_in_points(
      operators, [](const props::CoveragePoint& c) { return ref::dtype_name(c.dtype); });
  const auto ranks = names_in_points(
      operators, [](const props::CoveragePoint& c) { return std::to_string(c.rank); });
  const auto formats = names_in_points(
      operators, [](const props::CoveragePoint& c) { return ref::format_name(c.format); });
  const auto products = names_in_points(
      operators, [](const props::CoveragePoint& c) { return ref::name(c.product); });
  std::set<std::string> classes;
  for (const ref::Operator op : operators)
    classes.merge([&] {
      const std::vector<std::string> labels = campaign::drawn_classes(op);
      return std::set<std::string>(labels.begin(), labels.end());
    }());

  campaign::Selection& selection = settings.selection;
  selection.types = globs("type", options.type_words, types);
  selection.ranks = globs("rank", options.rank_words, ranks);
  selection.formats = globs("format", options.format_words, formats);
  selection.products = globs("product", options.product_words, products);
  selection.classes = globs("class", options.class_words, {classes.begin(), classes.end()});
  selection.at_most = options.at_most;
  selection.options = as_options(options);
  const bool any = std::any_of(operators.begin(), operators.end(),
                               [&](ref::Operator op) { return selection.takes_any_of(op); });
  if (!any) {
    throw props::InputError("the contract has no case with" + selection.options +
                            "; the selected operators have:" + list("types", types) +
                            list("ranks", ranks) + list("formats", formats) +
                            list("products", products) +
                            "\n`gradproof list points` lists their combinations");
  }
}

std::vector<ref::Operator> selected_operators(const campaign::Settings& settings) {
  return settings.operators.empty() ? all_operators() : settings.operators;
}

}  // namespace gradproof::cli
