// The boundary cases of one operator: valid cases edited at the boundary of a rule, in the order in
// which a campaign takes them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "props/campaign/schedule.h"
#include "props/campaign/settings.h"
#include "props/campaign/shrink.h"
#include "props/cases/mutate/contract.h"
#include "props/cases/mutate/mutations.h"

namespace gradproof::campaign {

/// One edit of a valid case, or two that break two rules in one call.
struct BoundaryCase {
  std::shared_ptr<const props::Case> valid;
  props::Mutation first;
  std::optional<props::Mutation> second;
  props::Case both;                   ///< with the breaks of both edits, if there is a second one
  std::uint64_t base = 0, index = 0;  ///< its place in the campaign: the same in every shard

  const props::Case& test() const { return second ? both : first.mutated; }
  Origin origin() const;
};

/// First all borders of some bases on every product; then, until each border was met, what these
/// left out; then bases at random.
class BoundaryQueue {
 public:
  /// @param products  that the library can be; an edit may change to another one of them
  BoundaryQueue(const Schedule& schedule, std::vector<ref::Product> products, Shard shard);

  /// Makes the boundary cases of base b wait; behind the first bases comes, once, what these and
  /// the sweep left out.
  void load(std::uint64_t b);
  /// Cases that go to the library together: enough to make the way there cheap, few enough to end
  /// in time. Empty if none waits.
  std::vector<BoundaryCase> take();
  bool empty() const { return waiting_.empty(); }
  /// Whether what the first bases left out was loaded.
  bool completed() const { return completed_; }

 private:
  /// Those of a valid case that the selection takes.
  std::vector<props::Mutation> edits(const props::Case& valid) const;
  void add_base(std::uint64_t b);
  void add_pairs(const std::shared_ptr<const props::Case>& valid,
                 const std::vector<props::Mutation>& all, std::uint64_t base);
  void complete();
  /// Gives what waits from `first` on its place in the campaign.
  void number(std::size_t first, std::uint64_t base);

  const Schedule& schedule_;
  const std::vector<ref::Product> products_;
  const Shard shard_;
  bool completed_ = false;
  std::vector<BoundaryCase> waiting_;  ///< the next one last
};

}  // namespace gradproof::campaign
