// Judged cases of one operator as examples: which features tell failing cases from others.
#pragma once

#include <bitset>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "props/campaign/finding.h"
#include "props/cases/features.h"

namespace gradproof::campaign {

/// In what way a case fails. Others may fail for the same reason, and no others.
std::string way(const std::string& kind, const std::string& look);

class Examples {
 public:
  /// Some thousands are kept.
  void add(const props::Case& c, const props::Verdict& verdict);
  struct Failed {
    Failure failure;
    std::optional<std::size_t> cause{};  ///< to which the failure was sorted at first
  };
  std::vector<Failed>& failed() { return failed_; }

  /// Features of cases that fail in this way: of each those that tell it, and most of the examples
  /// that fail so, from what passes. Of two that one choice tells the second has what the first
  /// has; nothing if its features tell no example that is not told already.
  std::vector<std::optional<props::Features>> telling(
      const std::string& way, const std::vector<const props::Features*>& cases);

 private:
  using Bits = std::bitset<512>;  // more than valid calls have features
  struct Example {
    Bits has;
    std::string way;  ///< empty if it passed
  };
  /// Examples that fail in one way and are not told yet, and those that pass.
  struct Split {
    std::vector<Bits> failed, passed;
  };
  struct Choice {
    Bits features;
    double quality = 0;
  };

  Bits bits(const props::Features& features);
  static double quality(const Split& split, const Bits& features);
  static bool matters(const Split& split, const Bits& features, std::size_t one);
  Choice choose(const Split& split, const Bits& from) const;

  std::map<std::string, std::size_t> numbers_;
  std::vector<Example> all_;
  std::vector<Failed> failed_;
};

}  // namespace gradproof::campaign
