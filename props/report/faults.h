// What `gradproof selftest` found out: each faulty library, by which properties it was caught,
// after how long, and with how large a counterexample.
#pragma once

#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace gradproof::report {

struct FaultRow {
  std::string name;      ///< empty: the unmodified library, in which nothing must be found
  std::string defect;    ///< one sentence
  std::string tracker;   ///< where it shipped; empty if it is one of our own
  std::string trouble;   ///< why the row fails: "ESCAPED: …"; empty if all is as it should be
  std::string property;  ///< that was violated first
  std::set<std::string> properties;  ///< all that were seen violated, the first among them
  std::uint64_t cases = 0, boundary_cases = 0;
  double seconds = 0;         ///< until the first violation
  std::int64_t elements = 0;  ///< of the counterexample's largest tensor, up to props::kHuge
  std::int64_t limit = 0;     ///< that it may have
  std::string reason;         ///< why the limit is not the usual one
  std::string test, finding;  ///< the counterexample
};

struct FaultTable {
  std::vector<FaultRow> rows;
  std::vector<std::string> properties;  ///< all that there are, in checking order
  bool ablation = false;  ///< whether `properties` of the rows are more than the first
  double seconds = 0;     ///< of the whole selftest

  std::size_t faults() const;
  /// Faults that were caught and whose counterexample is as it should be.
  std::size_t recalled() const;
  bool good() const { return recalled() == faults() && sound(); }
  /// No alarm on the unmodified library, if it was tried.
  bool sound() const;
  /// Seconds until detection that `share` of the recalled faults (0 … 1) took at most.
  double quantile(double share) const;
  /// The faults that nothing but `property` caught.
  std::vector<std::string> caught_only_by(const std::string& property) const;
  std::size_t caught_by(const std::string& property) const;
};

/// "64", "huge", and with a limit other than the usual one "131/200".
std::string elements_of(const FaultRow& row);
/// "recall 122 of 122 (100 %), time to detection: median 0.2 s, …".
std::string verdict_of(const FaultTable& table);

/// The table, the properties with the faults that each alone catches, troubles, and the verdict.
void print_faults(std::ostream& out, const FaultTable& table);
/// The same as a page of its own, with the matrix of properties and faults as a chart.
std::string to_html(const FaultTable& table);

}  // namespace gradproof::report
