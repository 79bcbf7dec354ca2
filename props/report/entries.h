// What a campaign saw of its profile's entries, and of findings that are known.
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
  bool implied = false;            ///< follows from a promise that is not made
  std::uint64_t met = 0;           ///< checks that saw the library do as the entry says
  std::uint64_t contradicted = 0;  ///< checks that saw it do as documented instead
  std::uint64_t unused = 0;        ///< results that it allows for, right without it

  /// So many results without need for an entry that widens what is right show that it is wrong.
  static constexpr std::uint64_t kEnough = 200;
  /// Whether the library does as documented where the entry says otherwise.
  bool refuted() const { return !varies && (contradicted > 0 || (met == 0 && unused >= kEnough)); }
  bool absent() const { return says == "absent"; }
  /// Whether it says what is not tested: such an entry is neither met nor contradicted.
  bool untested() const { return says.ends_with("untested"); }
  /// What a refuted entry was refuted by, in words.
  std::string evidence() const;
};

/// Findings that a list silenced, by the entry of the list.
struct KnownCount {
  std::string kind, reason;
  std::uint64_t count = 0;
};

struct Entries {
  std::vector<EntryCount> counts;  ///< in the profile's order
  std::vector<KnownCount> known;
  /// Checks that were not made of calls that the profile leaves unspecified or unsupported.
  std::uint64_t not_supported = 0;
  /// Checks that were not made because a kernel behind a kit said that the call is not for it, by
  /// its reason.
  std::map<std::string, std::uint64_t> declined;

  std::uint64_t refuted() const;  ///< entries
  std::uint64_t met() const;      ///< entries
  std::uint64_t known_findings() const;
};

/// Adds the counts of another part of the same campaign.
void add(Entries& into, const Entries& from);

}  // namespace gradproof::report
