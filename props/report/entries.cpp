// Counts of profile entries.
#include "props/report/entries.h"

#include <algorithm>

#include "props/cases/counted.h"

namespace gradproof::report {

std::string EntryCount::evidence() const {
  if (contradicted > 0)
    return "the library behaved as documented in " + props::counted(contradicted, "check");
  return "none of " + props::counted(unused, "result") + " needed it";
}

std::uint64_t Entries::refuted() const {
  return static_cast<std::uint64_t>(std::count_if(
      counts.begin(), counts.end(), [](const EntryCount& entry) { return entry.refuted(); }));
}

std::uint64_t Entries::met() const {
  return static_cast<std::uint64_t>(
      std::count_if(counts.begin(), counts.end(),
                    [](const EntryCount& entry) { return entry.met > 0 && !entry.implied; }));
}

std::uint64_t Entries::known_findings() const {
  std::uint64_t sum = 0;
  for (const KnownCount& entry : known) sum += entry.count;
  return sum;
}

void count_reason(std::map<std::string, std::uint64_t>& counts, const std::string& why) {
  constexpr std::size_t kReasons = 16;
  ++counts[counts.size() < kReasons || counts.contains(why) ? why : "other reasons"];
}

void add(Entries& into, const Entries& from) {
  for (const EntryCount& entry : from.counts) {
    const auto same = std::find_if(into.counts.begin(), into.counts.end(),
                                   [&](const EntryCount& e) { return e.id == entry.id; });
    if (same == into.counts.end()) {
      into.counts.push_back(entry);
      continue;
    }
    same->met += entry.met;
    same->contradicted += entry.contradicted;
    same->unused += entry.unused;
    same->stated += entry.stated;
  }
  for (const KnownCount& entry : from.known) {
    const auto same = std::find_if(into.known.begin(), into.known.end(), [&](const KnownCount& e) {
      return e.kind == entry.kind && e.calls == entry.calls && e.reason == entry.reason;
    });
    if (same == into.known.end())
      into.known.push_back(entry);
    else
      same->count += entry.count;
  }
  into.not_supported += from.not_supported;
  for (const auto& [why, count] : from.declined) into.declined[why] += count;
}

}  // namespace gradproof::report
