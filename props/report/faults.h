// The result of `gradproof selftest`: for each faulty library the properties that caught it, the
// time, and the size of the counterexample.
#pragma once

#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace gradproof::report {

struct FaultRow {
  std::string name;                  ///< empty: the unmodified library, which must have no finding
  std::string defect;                ///< one sentence
  std::string tracker;               ///< where the defect was reported; empty if it is our own
  std::string trouble;               ///< why the row fails: "ESCAPED: …"; empty if it passes
  std::string property;              ///< first property that failed
  std::set<std::string> properties;  ///< all properties that failed, including the first
  std::uint64_t cases = 0, boundary_cases = 0;
  double seconds = 0;         ///< until the first failure
  std::int64_t elements = 0;  ///< of the counterexample's largest tensor, up to props::kHuge
  std::int64_t limit = 0;     ///< largest allowed number of elements
  std::string reason;         ///< why the limit is not the default
  std::string test, finding;  ///< the counterexample
};

struct FaultTable {
  std::vector<FaultRow> rows;
  std::vector<std::string> properties;  ///< all, in checking order
  bool ablation = false;                ///< whether rows list further properties than the first
  double seconds = 0;                   ///< of the whole selftest

  std::size_t faults() const;
  /// Faults that were caught with a valid counterexample.
  std::size_t recalled() const;
  bool good() const { return recalled() == faults() && sound(); }
  /// Whether the unmodified library, if tested, has no finding.
  bool sound() const;
  /// Quantile `share` (0 … 1) of the seconds until detection, over the recalled faults.
  double quantile(double share) const;
  /// The faults that only `property` caught.
  std::vector<std::string> caught_only_by(const std::string& property) const;
  std::size_t caught_by(const std::string& property) const;
};

/// "64", "huge", or "131/200" with a limit other than the default.
std::string elements_of(const FaultRow& row);
/// "recall 122 of 122 (100 %), time to detection: median 0.2 s, …".
std::string verdict_of(const FaultTable& table);

/// Prints the table, the properties with the faults that only they catch, failed rows, and verdict.
void print_faults(std::ostream& out, const FaultTable& table);
/// The same as an HTML page, with a chart of properties and faults.
std::string to_html(const FaultTable& table);

}  // namespace gradproof::report
