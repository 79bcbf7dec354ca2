// Sorts failing checks by cause, so that one defect is one finding.
//
// A failing case is shrunk; the features that the small case still has of the first one may be
// needed for the failure. A later failure of the same sort whose case has all of these is
// explained. One that lacks a feature is shrunk too, on a way that avoids explained cases, which
// may be another defect's. It has the same cause if what only one of the two has is not needed: if
// valid cases without it fail as well.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "props/campaign/finding.h"
#include "props/cases/features.h"

namespace gradproof::campaign {

class Causes {
 public:
  struct Cause {
    ref::Operator op;  ///< of the first failure
    std::string property, kind, look;
    props::Features small;         ///< features of the shrunk case
    props::Features needed;        ///< those of them that each case that was shrunk had
    props::Features common;        ///< of all failing cases that were sorted here
    std::set<std::string> others;  ///< properties that fail on these cases as well
  };

  /// The cause that the failure, of a case with these features, is another instance of.
  std::optional<std::size_t> explaining(const Failure& failure,
                                        const props::Features& features) const;
  /// For want of time to shrink it: the cause of the same sort with which it shares most.
  std::optional<std::size_t> nearest(const Failure& failure, const props::Features& features) const;
  /// The cause that a shrunk failure belongs to, which then is as general as both; else a new one,
  /// number size().
  std::size_t sort(const Failure& small, const props::Features& features);
  /// How a valid case's values were judged; some thousands are kept.
  void judged(const props::Case& c, const props::Verdict& verdict);
  /// The first other cause that explains the shrunk case of cause i, by what is known in the end.
  std::optional<std::size_t> explaining(std::size_t i) const;
  /// That a case with these features, on which the property fails, belongs to the cause.
  void joins(std::size_t cause, std::string_view property, const props::Features& features);

  const Cause& operator[](std::size_t i) const { return all_[i]; }
  std::size_t size() const { return all_.size(); }

 private:
  struct Record {
    props::Features features;
    std::string kind;  ///< of the finding; "" if it passed
  };

  /// Whether judged cases with what the cause and `needed` share, and least of what only one of
  /// them has, fail as the cause does: then the rest is not needed. False of less than `least`
  /// cases.
  bool alike(const Cause& cause, const props::Features& needed, std::size_t least) const;

  std::vector<Cause> all_;
  std::map<ref::Operator, std::vector<Record>> records_;
};

}  // namespace gradproof::campaign
