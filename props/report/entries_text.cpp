// Prints entries.
#include "props/report/entries_text.h"

#include <algorithm>

#include "props/cases/counted.h"
#include "props/report/page.h"
#include "props/report/text.h"

namespace gradproof::report {
namespace {

const char* state(const EntryCount& entry) {
  if (entry.refuted()) return "contradicted";
  if (entry.untested()) return "not tested";
  if (entry.met > 0) return "met";
  return entry.restates() ? "stated by the library" : "not met";
}

}  // namespace

void print_entries(std::ostream& out, const Report& report) {
  const Entries& entries = report.entries;
  if (report.question.profile.empty()) return;
  out << "profile " << report.question.profile;
  std::string not_met;
  std::uint64_t own = 0;
  for (const EntryCount& entry : entries.counts) {
    if (entry.implied || entry.untested() || entry.restates()) continue;
    ++own;
    if (entry.met == 0 && !entry.refuted()) not_met += (not_met.empty() ? "" : ", ") + entry.id;
  }
  if (own > 0) {
    out << ": " << entries.met() << " of "
        << (own == 1 ? "1 entry" : std::to_string(own) + " entries") << " met, "
        << entries.refuted() << " contradicted";
  }
  out << '\n';
  if (entries.not_supported > 0)
    out << "skipped: " << props::counted(report.skipped(), "check") << ", " << entries.not_supported
        << " of them because the profile does not specify or support the call; -v counts them by "
           "property\n";
  for (const EntryCount& entry : entries.counts) {
    if (entry.absent() && entry.met > 0)
      out << "not supported: '" << entry.id << "', " << props::counted(entry.met, "check") << '\n';
    if (entry.restates())
      out << "entry '" << entry.id
          << "' is not needed: the library states itself that it does not support "
          << "these calls, in " << props::counted(entry.stated, "check") << '\n';
  }
  for (const auto& [why, count] : entries.declined)
    out << "not supported by the kernel: " << printable(why) << ", " << count << " of "
        << props::counted(report.checks() + report.skipped(), "check") << '\n';
  if (!not_met.empty()) out << "entries not met: " << not_met << '\n';
  std::string not_found;
  for (const KnownCount& known : entries.known) {
    const std::string what = known.kind + " of " + known.calls;
    if (known.count > 0) {
      out << "known: " << what << ", " << props::counted(known.count, "time") << ": "
          << printable(known.reason) << '\n';
    } else {
      not_found += (not_found.empty() ? "" : "; ") + what;
    }
  }
  if (!not_found.empty()) out << "known findings not found again: " << not_found << '\n';
}

void print_refuted(std::ostream& out, const Report& report) {
  for (const EntryCount& entry : report.entries.counts) {
    if (!entry.refuted()) continue;
    out << "contradicted: entry '" << entry.id << "' (" << entry.says << "): " << entry.evidence()
        << "; if this is intended, remove the entry from the profile\n";
  }
}

std::string refuted_text(const Report& report) {
  const std::uint64_t refuted = report.entries.refuted();
  if (refuted == 0) return "";
  return ", " + std::to_string(refuted) +
         (refuted == 1 ? " contradicted entry" : " contradicted entries");
}

nlohmann::ordered_json entries_to_json(const Entries& entries) {
  nlohmann::ordered_json json = {{"counts", nlohmann::ordered_json::array()},
                                 {"known", nlohmann::ordered_json::array()},
                                 {"not_supported", entries.not_supported},
                                 {"declined", nlohmann::ordered_json::object()}};
  for (const auto& [why, count] : entries.declined) json["declined"][printable(why)] = count;
  for (const EntryCount& e : entries.counts) {
    json["counts"].push_back({{"id", e.id},
                              {"says", e.says},
                              {"reason", e.reason},
                              {"source", e.source},
                              {"varies", e.varies},
                              {"implied", e.implied},
                              {"met", e.met},
                              {"contradicted", e.contradicted},
                              {"unused", e.unused},
                              {"stated", e.stated},
                              {"state", state(e)}});
  }
  for (const KnownCount& known : entries.known)
    json["known"].push_back({{"kind", known.kind},
                             {"calls", known.calls},
                             {"reason", printable(known.reason)},
                             {"count", known.count}});
  return json;
}

Entries entries_from_json(const nlohmann::json& json) {
  Entries entries;
  for (const nlohmann::json& one : json.at("counts")) {
    EntryCount& e = entries.counts.emplace_back();
    one.at("id").get_to(e.id);
    one.at("says").get_to(e.says);
    one.at("reason").get_to(e.reason);
    one.at("source").get_to(e.source);
    one.at("varies").get_to(e.varies);
    one.at("implied").get_to(e.implied);
    one.at("met").get_to(e.met);
    one.at("contradicted").get_to(e.contradicted);
    one.at("unused").get_to(e.unused);
    e.stated = one.value("stated", std::uint64_t{0});  // older reports lack it
  }
  for (const nlohmann::json& one : json.at("known")) {
    KnownCount& known = entries.known.emplace_back();
    one.at("kind").get_to(known.kind);
    known.calls = one.value("calls", "");  // older reports lack it
    one.at("reason").get_to(known.reason);
    one.at("count").get_to(known.count);
  }
  json.at("not_supported").get_to(entries.not_supported);
  if (!json.contains("declined")) return entries;  // written before 0.2
  for (const auto& [why, count] : json.at("declined").items()) count.get_to(entries.declined[why]);
  return entries;
}

std::string entries_to_html(const Report& report) {
  const Entries& entries = report.entries;
  const bool any = std::any_of(entries.counts.begin(), entries.counts.end(),
                               [](const EntryCount& e) { return !e.implied || e.met > 0; });
  if (!any && entries.known.empty()) return "";
  std::string out = page_section(
      "Profile " + escaped(report.question.profile),
      "Known deviations of the library. A contradicted entry fails the run; an entry that was not "
      "met may apply only to cases that were not generated.");
  out +=
      "<div class=\"scroll\"><table>\n" +
      page_row({"entry", "says", "state", "met", "contradicted", "not needed", "reason"}, "th", 3);
  for (const EntryCount& e : entries.counts) {
    if (e.implied && e.met == 0) continue;
    const std::string shown = state(e);
    out += page_row({escaped(e.id), escaped(e.says),
                     e.refuted() ? "<span class=\"over\"><b>" + shown + "</b></span>" : shown,
                     std::to_string(e.met), std::to_string(e.contradicted),
                     std::to_string(e.unused), escaped(e.reason + " (" + e.source + ")")},
                    "td", 3);
  }
  for (const KnownCount& known : entries.known)
    out += page_row({"known", escaped(known.kind + " of " + known.calls),
                     known.count > 0 ? "silenced" : "not found again", std::to_string(known.count),
                     "", "", escaped(known.reason)},
                    "td", 3);
  return out + "</table></div>\n";
}

}  // namespace gradproof::report
