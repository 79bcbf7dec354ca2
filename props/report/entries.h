// What a campaign observed about the profile's entries, and about known findings.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gradproof::report {

/// An entry of the profile.
struct EntryCount {
  std::string id;
  std::string says;  ///< "status 0", "absent", …: its kind and value
  std::string reason;
  std::string source;  ///< "REPOSITORY, FILE, FUNCTION"
  bool varies = false;
  bool implied = false;            ///< follows from a promise that the profile does not make
  std::uint64_t met = 0;           ///< checks in which the library behaved as the entry says
  std::uint64_t contradicted = 0;  ///< checks in which it behaved as documented instead
  std::uint64_t unused = 0;        ///< results that are correct without it
  /// Of an `absent` entry: checks not made because the kernel itself states that it does not
  /// support the call, so that the entry was not needed.
  std::uint64_t stated = 0;

  /// An entry that allows more results is wrong if so many results did not need it.
  static constexpr std::uint64_t kEnough = 200;
  /// Whether the library behaves as documented where the entry says otherwise.
  bool refuted() const { return !varies && (contradicted > 0 || (met == 0 && unused >= kEnough)); }
  bool absent() const { return says == "absent"; }
  /// Whether it excludes what the library states itself not to support, and nothing else.
  bool restates() const { return met == 0 && stated > 0 && !refuted(); }
  /// Whether the entry excludes calls from testing; it is then neither met nor contradicted.
  bool untested() const { return says.ends_with("untested"); }
  /// Why a refuted entry is refuted, as text.
  std::string evidence() const;
};

/// Findings that an entry of a list of known findings silenced.
struct KnownCount {
  std::string kind, calls, reason;
  std::uint64_t count = 0;
};

struct Entries {
  std::vector<EntryCount> counts;  ///< in the profile's order
  std::vector<KnownCount> known;
  /// Checks skipped because the profile leaves the call unspecified or unsupported.
  std::uint64_t not_supported = 0;
  /// Checks skipped because a kernel behind a kit does not support the call, by its reason.
  std::map<std::string, std::uint64_t> declined;

  std::uint64_t refuted() const;  ///< entries
  std::uint64_t met() const;      ///< entries
  std::uint64_t known_findings() const;
};

/// Counts one more for a reason. A kernel may put the call's numbers into each, so that there would
/// be too many: the rest are "other reasons".
void count_reason(std::map<std::string, std::uint64_t>& counts, const std::string& why);

/// Adds the counts of another part of the same campaign.
void add(Entries& into, const Entries& from);

}  // namespace gradproof::report
