// Cases of one operator, judged by one property, as examples, from which the features that predict
// a failure are learned.
#pragma once

#include <bitset>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "props/campaign/finding.h"
#include "props/cases/describe/features.h"

namespace gradproof::campaign {

/// The failure mode: cases of two modes never have the same cause.
std::string mode(const std::string& kind, const std::string& look);

class Examples {
 public:
  /// Adds a case. Examples beyond the first 4000 are ignored.
  void add(const props::Check& check, const props::Verdict& verdict);
  /// Cases that were added, for another process; and those that another one has told.
  nlohmann::json to_json() const;
  void add(const nlohmann::json& told);
  struct Failed {
    Failure failure;
    std::optional<std::size_t> cause{};  ///< the first one that it was counted for
  };
  std::vector<Failed>& failed() { return failed_; }

  /// For each of these failing cases, all of one mode: few of its features that together predict a
  /// failure of that mode. Cases that have the same predictor get it together; a case that adds no
  /// predictor gets nothing.
  /// @param cases the features of each case
  std::vector<std::optional<props::Features>> predictors(
      const std::string& mode, const std::vector<const props::Features*>& cases);

  /// The best predictor of failures of these modes among some features, if it predicts about as
  /// well as the better of two predictors. Nothing if there is none.
  std::optional<props::Features> shared_predictor(const std::set<std::string>& modes,
                                                  const props::Features& from,
                                                  const props::Features& one,
                                                  const props::Features& other);

 private:
  using Bits = std::bitset<512>;  // more than valid calls have features
  struct Example {
    Bits has;
    std::string mode;  ///< empty if it passed
  };
  /// The failing examples of one mode that no predictor covers yet, and all that passed.
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
  /// Of the examples with the features, the share that failed.
  static double precision(const Split& split, const Bits& features);

  std::map<std::string, std::size_t> numbers_;
  std::vector<Example> all_;
  std::vector<Failed> failed_;
};

}  // namespace gradproof::campaign
