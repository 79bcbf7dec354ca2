// Sorts failing checks by cause, so that one defect is one finding.
//
// A failing case is shrunk. Of the features of the small case those are needed that tell failing
// cases from passing ones (props/campaign/examples.h); where values are not what failed, those that
// it still has of the first one. A later failure of the same sort whose case has all of them is
// explained. One that lacks a feature is shrunk too, on a way that avoids explained cases, which
// may be another defect's, and is a cause of its own if its small case is not explained either.
// What is needed is learned anew with each, so that in the end some are found to be one. A small
// case of another type than FLOAT that passes in FLOAT needs its type, whatever was learned.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "props/campaign/examples.h"

namespace gradproof::campaign {

class Causes {
 public:
  /// Whether the case fails.
  using Fails = std::function<bool(const props::Property& property, const props::Case& c)>;
  explicit Causes(Fails fails) : fails_(std::move(fails)) {}

  struct Cause {
    ref::Operator op;  ///< of the first failure
    std::string property, kind, look;
    props::Features small;         ///< features of the shrunk case
    props::Features needed;        ///< those of them that a case must have to be explained
    props::Features common;        ///< of all failing cases that were sorted here
    std::set<std::string> others;  ///< properties that fail on these cases as well
    std::string type{};            ///< the element type, if it is needed for certain
  };

  /// The cause that the failure, of a case with these features, is another instance of.
  std::optional<std::size_t> explaining(const Failure& failure,
                                        const props::Features& features) const;
  /// For want of time to shrink it: the cause of the same sort with which it shares most.
  std::optional<std::size_t> nearest(const Failure& failure, const props::Features& features) const;
  /// The cause that a shrunk failure belongs to, first found with these features; else a new one,
  /// number size().
  std::size_t sort(const Failure& small, const props::Features& features);
  /// How a valid case's values were judged.
  void judged(const props::Case& c, const props::Verdict& verdict);
  /// Those of which that was told, as far as they are kept, and failed.
  std::vector<Examples::Failed> judged_failures();
  /// The first other cause that explains the shrunk case of cause i.
  std::optional<std::size_t> explaining(std::size_t i) const;
  /// That a case with these features, on which the property fails, belongs to the cause.
  void joins(std::size_t cause, std::string_view property, const props::Features& features);

  const Cause& operator[](std::size_t i) const { return all_[i]; }
  std::size_t size() const { return all_.size(); }

  /// Learns from all that was judged what the causes need.
  void learn();
  /// Whether that is how it is known what cause i needs.
  bool learned(std::size_t i) const;

 private:
  /// Likewise, causes of the sort of this one.
  void learn(const Cause& like);

  /// The element type of the case if it passes in FLOAT, else nothing.
  std::string needed_type(const Failure& small) const;
  /// Whether the shrunk case of one has what the other needs.
  static bool explains(const Cause& other, const Cause& one);

  const Fails fails_;
  std::vector<Cause> all_;
  std::map<ref::Operator, Examples> examples_;
};

}  // namespace gradproof::campaign
