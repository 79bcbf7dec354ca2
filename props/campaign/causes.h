// Sorts failing checks by cause, so that one defect is one finding.
//
// A failing case is shrunk. Some features of the shrunk case are needed for the failure: where
// values are wrong, those that predict failing cases (props/campaign/examples.h); for other
// failures, those that the case had before it was shrunk too. A cause explains every failure of the
// same sort whose case has all needed features. A failure that no cause explains is shrunk without
// using explained cases, since these may belong to another defect, and becomes a new cause, unless
// its shrunk case is explained after all. Needed features are learned again with each new cause, so
// causes may turn out to be one. If a shrunk case passes once its element type is FLOAT, without a
// flag, or with a strided tensor made contiguous, its own type, the flag or the strides are needed.
//
// A cause of which no feature is known to be needed explains every failure of its sort, and so
// could hide others. Failing cases that have a type, flag or strides that its shrunk case has not
// are tried without, a few for each; if some of them pass then, they have a cause of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "props/campaign/examples.h"
#include "props/profiles/value_entries.h"

namespace gradproof::campaign {

/// The property that compares values with the reference.
inline constexpr std::string_view kValues = "equivalence";

/// Profile entries that explain a failure: the case passes with any of these. Each is a single
/// entry or, if none alone is enough, two.
using Explanations = std::vector<profiles::Some>;

class Causes {
 public:
  /// Judges a case once more.
  using Attempt = std::function<props::Verdict(const props::Property& property,  //
                                               const props::Case& c)>;
  explicit Causes(Attempt attempt) : attempt_(std::move(attempt)) {}

  struct Cause {
    ref::Operator op{};  ///< of the first failure
    std::string property{}, kind{}, look{};
    /// Features of the shrunk case. If it also fails with the forward's indices, its features with
    /// those are added, so that a cause which seems to need them can explain it.
    props::Features small{};
    props::Features needed{};        ///< those of them that a case must have to be explained
    props::Features common{};        ///< of all failing cases that were sorted here
    bool from_examples = false;      ///< what is needed is learned from judged cases
    std::set<std::string> others{};  ///< properties that fail on these cases as well
    /// Its element type if the shrunk case passes in FLOAT, and flags without which it passes.
    props::Features plainly{};
    /// Of other failing cases, by feature: how many were tried without it, and passed.
    struct Tries {
      int asked = 0, passed = 0;
      std::optional<std::uint64_t> seed{};  ///< of the last one
    };
    std::map<std::string, Tries> tries{};
    /// Profile entries with which its failures pass (campaign/hints.h).
    Explanations entries{};
    props::Features unneeded{};  ///< which its finding does not name (campaign/trial_of_features.h)
    bool of_strides = false;     ///< its failures pass with contiguous tensors
    std::string symptom{};       ///< of its first failure (Verdict::symptom)
    /// Where else its symptom was seen: the operator, the kind of failure, and what cases need.
    struct Place {
      ref::Operator op;
      std::string kind;
      props::Features needed;
    };
    std::vector<Place> elsewhere{};
    std::set<ref::Operator> calls{};  ///< operators that its sequence calls; of no sequence: none
  };

  /// The cause that explains the failure of a case with these features: of several, the one that
  /// needs most. It must need what is in `also`.
  /// @param by_entries  whether one that profile entries explain may be it
  std::optional<std::size_t> explaining(const Failure& failure, const props::Features& features,
                                        const props::Features& also = {},
                                        bool by_entries = true) const;
  /// What tells the failure apart from the cause that seems to explain it: a feature without which
  /// cases like it pass, though the shrunk case of the cause fails without it. Empty: nothing.
  props::Features apart(std::size_t cause, const Failure& failure, const props::Features& features);
  /// The cause of the same sort with the most needed features in common: for failures that there is
  /// no time to shrink.
  std::optional<std::size_t> nearest(const Failure& failure, const props::Features& features) const;
  /// The cause that the shrunk failure belongs to: a new one if none explains it.
  /// @param features of the case before it was shrunk
  /// @param apart what apart() told of it, which the shrunk case has
  /// @param entries with which the shrunk case passes
  /// @param of_strides whether it passes with contiguous tensors
  std::size_t sort(const Failure& small, const props::Features& features,
                   const props::Features& apart = {}, const Explanations& entries = {},
                   bool of_strides = false);
  /// A new cause that needs an earlier call and explains no failure by features: any case may fail.
  /// @param calls operators that its sequence calls; of no sequence: none
  std::size_t add_earlier_call(const Failure& found, std::set<ref::Operator> calls = {});
  /// The cause of that sort to which a failure of the operator belongs. First comes one that a
  /// single call shows: of the operator, then of an operator that the failing sequence calls. Last
  /// comes one of the operator that a sequence shows.
  std::optional<std::size_t> earlier_call(ref::Operator op,
                                          const std::set<ref::Operator>& calls = {}) const;
  /// The first cause of the operator whose failures pass with contiguous tensors.
  std::optional<std::size_t> of_strides(ref::Operator op) const;
  /// Adds an example: a valid case and the verdict on it.
  void judged(const props::Check& check, const props::Verdict& verdict);
  /// The examples whose values failed.
  std::vector<Examples::Failed> judged_failures();
  /// The first other cause that is the same as cause i: it explains the shrunk case of that.
  std::optional<std::size_t> same_as(std::size_t i) const;
  /// Whether cause i may be cause j on other data. Either both are wrong numbers, one of them by
  /// little, and what cause j needs is among these features of cause i. Or cause i read outside an
  /// input where cause j read another element, and has what cause j needs, as examples tell. Or
  /// one of them is NaN, which wrong numbers become where a special value or memory that nobody
  /// wrote is added, and both need the same, as examples tell.
  bool differs_in_data(std::size_t i, std::size_t j, const props::Features& features) const;
  /// What causes i and j both need, if they seem to be corners of one cause: strides of a tensor
  /// that both misread; or what both shrunk cases have, if it predicts failures about as well as
  /// what either of the causes needs. Nothing if they need different things.
  std::optional<props::Features> shared_need(std::size_t i, std::size_t j);
  /// Counts a failure of the property, on a case with these features, for the cause.
  void joins(std::size_t cause, std::string_view property, const props::Features& features);

  const Cause& operator[](std::size_t i) const { return all_[i]; }
  std::size_t size() const { return all_.size(); }

  /// All causes and examples, for another process; and what another one has told, added to these.
  nlohmann::json to_json() const;
  void add(const nlohmann::json& told);

  /// Learns the needed features of all causes from all examples.
  void learn();
  /// Likewise, of cause i and those of its sort.
  void learn(std::size_t i) { learn(all_[i]); }
  /// What the finding of cause i does not name.
  void leave_out(std::size_t i, props::Features unneeded) {
    all_[i].unneeded = std::move(unneeded);
  }
  /// Leaves these of the entries that explain cause i.
  void keep_entries(std::size_t i, Explanations entries) { all_[i].entries = std::move(entries); }
  /// Leaves of the entries of each cause those that explain all causes which one of them joins.
  void settle_entries();
  /// Whether the needed features of cause i are those that examples tell, and not all that its
  /// shrunk case has.
  bool learned(std::size_t i) const;

 private:
  /// Likewise, of the causes of the same sort as this one.
  void learn(const Cause& like);

  /// Whether a case like that of the failure fails, too. Of wrong numbers, one that is off by
  /// little is another failure than one that is not.
  std::optional<bool> fails_too(const Failure& failure, const props::Case& c) const;
  /// What Cause::small says.
  props::Features small_features(const Failure& small) const;
  /// Type and flags without which a failing case passes, by trying; of those in `apart` also what
  /// no valid case like it can be without.
  props::Features needed_plainly(const Failure& small, props::Features apart) const;
  /// Whether failures of another property are those of cause i, which equivalence found: as wrong
  /// or as harmful, and all on cases that have what cause i needs. Where that is a lost NaN, a
  /// property that plants NaN needs no such data.
  bool shows_by_relation(std::size_t i, const Cause& one) const;
  /// The first cause with the symptom of cause i, wrong results before others.
  std::size_t first_with_symptom(std::size_t i) const;
  /// Whether one defect shows in both, on other cases or in other operators.
  static bool same_symptom(const Cause& one, const Cause& other);
  /// Whether both are roundings of one type: the shrunk case of one passes in FLOAT, and the other
  /// needs that type, too.
  static bool rounds_alike(const Cause& one, const Cause& other);
  /// Whether both are wrong NaN whose cases have nothing in common but kinds of data.
  static bool nan_alike(const Cause& one, const Cause& other);
  /// The profile entries that explain failures of both.
  static Explanations shared_entries(const Cause& one, const Cause& other);
  /// The cause that one of the entries explains which explain cause i: the first of those that the
  /// same entry explains; of two entries that explain it together, a cause that one of them
  /// explains.
  std::optional<std::size_t> explained_by_entry(std::size_t i) const;
  /// Whether one profile entry explains both, or none explains either, as far as is known:
  /// relations are hardly judged with other entries.
  static bool same_entries(const Cause& one, const Cause& other);
  /// Whether failures of both are of one kind.
  static bool same_sort(const Cause& one, const Cause& other);
  static props::Features misread(const Cause& cause);
  /// Whether the first cause explains the shrunk case of the second.
  static bool explains(const Cause& other, const Cause& one);

  const Attempt attempt_;
  std::vector<Cause> all_;
  std::map<std::pair<ref::Operator, std::string>, Examples> examples_;  ///< by property too
};

}  // namespace gradproof::campaign
