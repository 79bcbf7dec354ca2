// Joins findings by what their causes need.
#include "props/campaign/join_alike.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "props/campaign/hints.h"
#include "props/judge/compare.h"
#include "props/report/findings.h"

namespace gradproof::campaign {
namespace {

/// So few failing checks say little about what they have in common.
constexpr std::uint64_t kFew = 3;

/// Order of causes that may be one: the last one says what they need. Reading outside an input is
/// part of reading a wrong element; otherwise the one with most failing checks counts.
std::tuple<bool, std::uint64_t, std::size_t> rank(const Causes& causes,
                                                  const report::Report& report, std::size_t cause) {
  return {causes[cause].look != props::kReadOutside, report.failures[cause].total(),
          causes.size() - cause};
}

/// A cause, and what it needs as far as it stands for others.
struct Joined {
  std::size_t to;
  props::Features needed;
};

/// Which cause each of the causes is part of.
class Joins {
 public:
  Joins(Causes& causes, const report::Report& report) : causes_(causes) {
    for (std::size_t i = 0; i < causes.size(); ++i) next_.push_back(next(report, i));
  }

  /// The cause at the end of all joins. Causes that join in a circle are one: the first of them.
  Joined end(std::size_t cause) const {
    // What an entry explains passes without a flag where the flag's weights are needed for that.
    // Nor does a symptom say what a case needs.
    const Causes::Cause& one = causes_[cause];
    const bool by_features = one.entries.empty() && !one.of_strides && one.symptom.empty();
    const props::Features without = by_features ? one.plainly : props::Features();
    std::vector<Joined> way{{cause, causes_[cause].needed}};
    while (true) {
      const Joined& next = next_[way.back().to];
      // What passes without a flag is no failure of a cause that does not need it, at any remove.
      if (next.to == way.back().to || !props::has_all(next.needed, without)) return way.back();
      const auto circle = std::ranges::find(way, next.to, &Joined::to);
      if (circle == way.end()) {
        way.push_back(next);
        continue;
      }
      Joined first = *std::ranges::min_element(circle, way.end(), {}, &Joined::to);
      for (auto member = circle; member != way.end(); ++member)
        first.needed = props::in_both(first.needed, causes_[member->to].needed);
      return first;
    }
  }

 private:
  /// The cause that explains this one; or a greater one that it seems to be, on other data or in
  /// another corner; else itself. What a few failures need is not known: what their case has
  /// counts.
  Joined next(const report::Report& report, std::size_t cause) {
    const Causes::Cause& one = causes_[cause];
    if (const auto explained = causes_.same_as(cause))
      return {*explained, causes_[*explained].needed};
    const bool few = report.failures[cause].total() <= kFew;
    for (std::size_t i = 0; i < causes_.size(); ++i) {
      if (rank(causes_, report, i) <= rank(causes_, report, cause)) continue;
      if (causes_.differs_in_data(cause, i, few ? one.small : one.needed) &&
          props::has_all(causes_[i].needed, one.plainly))
        return {i, causes_[i].needed};
      if (auto shared = causes_.shared_need(cause, i)) return {i, *std::move(shared)};
    }
    return {cause, one.needed};
  }

  Causes& causes_;
  std::vector<Joined> next_;
};

/// A wrong value says more than two values that do not fit together. The hint of a cause that two
/// entries explain together does not fit those that one of them explains. A case that fails in a
/// new process says more than one that needs an earlier call.
std::tuple<bool, bool, bool> worse_to_show(const Causes::Cause& cause) {
  return {!cause.entries.empty() && cause.entries.front().size() > 1, cause.property != kValues,
          cause.look == props::kEarlierCall};
}

}  // namespace

void join_alike(Causes& causes, report::Report& report) {
  causes.settle_entries();
  // A cause that another one explains joins it, and with it all that joined before. Of those that
  // show most, the first is reported: fewest cases were avoided when it was shrunk.
  const Joins joins(causes, report);
  std::vector<std::size_t> end(causes.size()), first(causes.size(), causes.size());
  std::vector<props::Features> needed;
  for (std::size_t i = 0; i < end.size(); ++i) needed.push_back(causes[i].needed);
  for (std::size_t i = 0; i < end.size(); ++i) {
    Joined joined = joins.end(i);
    end[i] = joined.to;
    // Of what it needs for several others, as far as they agree.
    if (props::Features& of = needed[joined.to]; joined.needed != causes[joined.to].needed) {
      const props::Features agreed = props::in_both(of, joined.needed);
      of = agreed.empty() ? std::move(joined.needed) : agreed;
    }
    std::size_t& shown = first[end[i]];
    const auto worse = [&](std::size_t one) {
      const bool by_chance = !causes[one].entries.empty() && causes[end[i]].entries.empty();
      return std::pair(by_chance, worse_to_show(causes[one]));
    };
    if (shown == causes.size() || worse(i) < worse(shown)) shown = i;
    if (end[i] == i) continue;
    causes.joins(end[i], causes[i].property, causes[i].common);
    if (!causes[i].symptom.empty() && causes[i].symptom == causes[end[i]].symptom &&
        causes[i].property == kValues)
      needed[end[i]] = props::in_both(needed[end[i]], causes[i].needed);
    // Of roundings of one type, what a shrunk case lacks is not needed.
    if (causes[i].look == "rounding" && causes[end[i]].look == "rounding")
      needed[end[i]] = props::in_both(needed[end[i]], causes[i].small);
  }
  for (std::size_t i = 0; i < end.size(); ++i) {
    report::Failure& failure = report.failures[i];
    const Causes::Cause& cause = causes[end[i]];
    // What distinguishes failing cases from passing ones; where that is not known, what they share
    // with the simplest of them, but for what most cases have.
    // What an entry explains may have several features, none of which is needed.
    const bool by_entry = !cause.entries.empty();
    const props::Features& needs = by_entry ? cause.common : needed[end[i]];
    failure.hints = hints(causes[i], report.question);
    failure.needed.assign(needs.begin(), needs.end());
    failure.in_common = causes.learned(end[i]) && !by_entry
                            ? std::vector<std::string>(needs.begin(), needs.end())
                            : report::telling(report.operators[failure.op],
                                              props::in_both(needs, cause.common), failure.count);
    std::erase_if(failure.in_common, [&](const std::string& feature) {
      return causes[i].unneeded.contains(feature) || cause.unneeded.contains(feature);
    });
    report::Failure& to = report.failures[first[end[i]]];
    if (&to == &failure) continue;
    to.number = std::min(to.number, failure.number);  // the same order however many jobs there are
    to.add(failure.op, failure.property, failure.count);
    for (const report::AlsoFailed& other : failure.also)
      to.add(other.op, other.property, other.count);
    failure.count = 0;
    failure.also.clear();
  }
  // A failure that ended the campaign while it was shrunk has no cause; it has a count. One that
  // was found by another property than it is reported for counts only there.
  for (std::size_t i = end.size(); i-- > 0;) {
    if (report.failures[i].total() == 0)
      report.failures.erase(report.failures.begin() + static_cast<std::ptrdiff_t>(i));
  }
  report.sort_failures();
}

}  // namespace gradproof::campaign
