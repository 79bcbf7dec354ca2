// Which cases are wanted, by name and size.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/cases/generate/generator.h"
#include "props/cases/mutate/contract.h"

namespace gradproof::campaign {

/// Patterns of names, as a shell has them (*, ?, [abc]); "^pattern" leaves names out. Upper and
/// lower case are alike.
class Globs {
 public:
  Globs() = default;
  explicit Globs(std::vector<std::string> words) : words_(std::move(words)) {}

  bool empty() const { return words_.empty(); }
  const std::vector<std::string>& words() const { return words_; }
  /// Whether one of a thing's names fits a pattern, or there are exclusions alone, and none of them
  /// is left out.
  bool takes(const std::vector<std::string_view>& names) const;
  bool takes(std::string_view name) const { return takes(std::vector{name}); }
  /// Whether an exclusion fits the name.
  bool excludes(std::string_view name) const;
  /// Whether a pattern names something exactly: no wildcard, no exclusion.
  bool names(const std::vector<std::string_view>& names) const;

  /// Whether a word, with or without ^, fits the name.
  static bool fits(const std::string& word, std::string_view name);

 private:
  std::vector<std::string> words_;
};

/// A part of the contract. Operators and properties are chosen apart (settings.h).
struct Selection {
  Globs types, ranks, formats, products, classes;
  std::int64_t at_most = 0;  ///< largest extent of a tensor; 0: any
  std::string options;       ///< all of it as options of the command line, for reports

  bool empty() const {
    return types.empty() && ranks.empty() && formats.empty() && products.empty() &&
           classes.empty() && at_most == 0;
  }
  bool takes(const props::CoveragePoint& point) const;
  /// Whether product, type, rank and format of the call are wanted.
  bool takes_point_of(const props::Case& c) const;
  /// Whether cases of the operator, on some product, can be taken.
  bool takes_any_of(ref::Operator op) const;
  /// A case that phase 1 refuses belongs to no class.
  bool takes(const props::Case& c) const;
  /// Whether an edited call of a case that is taken is wanted. One that is accepted must be taken
  /// itself. Of one that is refused the product is wanted, and no tensor gets a type, rank or
  /// format that is excluded: others are what refusals are about.
  bool takes_edited(const props::Case& valid, const props::Mutation& edit) const;
  /// Whether a wanted call can be at that side of a boundary, as far as types, ranks and formats
  /// tell.
  bool takes(const props::BoundarySide& side) const;
  /// The names, as in a report, of the case classes, coverage points and boundary sides of the
  /// operator that are not wanted.
  std::set<std::string> leaves_out(ref::Operator op,
                                   const std::vector<ref::Product>& products) const;
};

/// Those of all_classes(op, products) that are drawn: misuse is added to cases and not drawn with
/// them.
std::vector<std::string> drawn_classes(ref::Operator op,
                                       std::span<const ref::Product> products = ref::kProducts);

}  // namespace gradproof::campaign
