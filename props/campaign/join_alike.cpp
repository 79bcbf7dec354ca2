// Joins findings by what their causes need.
#include "props/campaign/join_alike.h"

#include <algorithm>
#include <string>
#include <vector>

#include "props/report/findings.h"

namespace gradproof::campaign {
namespace {

/// So few failing checks say little about what they have in common.
constexpr std::uint64_t kFew = 3;

/// The cause with more failing checks that this one seems to be on other data; else itself. What a
/// few failures need is not known: what their case has counts.
std::size_t larger(const Causes& causes, const report::Report& report, std::size_t cause) {
  const std::uint64_t checks = report.failures[cause].total();
  const Causes::Cause& one = causes[cause];
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (report.failures[i].total() > checks &&
        causes.differs_in_data(cause, i, checks <= kFew ? one.small : one.needed))
      return i;
  }
  return cause;
}

}  // namespace

void join_alike(Causes& causes, report::Report& report) {
  // A cause that another one explains joins it, and with it all that joined before. The first of
  // them is reported: fewest cases were avoided when it was shrunk.
  std::vector<std::size_t> end(causes.size()), first(causes.size(), causes.size());
  std::vector<props::Features> needed;
  for (std::size_t i = 0; i < end.size(); ++i) needed.push_back(causes[i].needed);
  for (std::size_t i = 0; i < end.size(); ++i) {
    end[i] = i;
    for (std::size_t steps = 0; steps < end.size(); ++steps) {
      const std::size_t next = causes.explaining(end[i]).value_or(larger(causes, report, end[i]));
      const props::Features &has = causes[next].needed, &without = causes[i].plainly;
      // What passes without a flag is no failure of a cause that does not need it, at any remove.
      if (next == end[i] || !std::includes(has.begin(), has.end(), without.begin(), without.end()))
        break;
      end[i] = next;
    }
    first[end[i]] = std::min(first[end[i]], i);
    if (end[i] == i) continue;
    causes.joins(end[i], causes[i].property, causes[i].common);
    // Of roundings of one type, what a shrunk case lacks is not needed.
    if (causes[i].look == "rounding" && causes[end[i]].look == "rounding")
      needed[end[i]] = props::in_both(needed[end[i]], causes[i].small);
  }
  for (std::size_t i = 0; i < end.size(); ++i) {
    report::Failure& failure = report.failures[i];
    const Causes::Cause& cause = causes[end[i]];
    // What distinguishes failing cases from passing ones; where that is not known, what they share
    // with the simplest of them, but for what most cases have.
    const props::Features& needs = needed[end[i]];
    failure.in_common =
        causes.learned(end[i])
            ? std::vector<std::string>(needs.begin(), needs.end())
            : report::telling(report.operators[failure.op], props::in_both(needs, cause.common));
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
