// Merges the reports of a campaign's shards.
#pragma once

#include <string>
#include <vector>

#include "props/report/report.h"

namespace gradproof::report {

struct NamedReport {
  std::string path;  ///< for messages
  Report report;
};

/// Merges shards, in any order, into the report of the campaign. Throws InputError that names the
/// file if shards have different questions, if one is given twice, or, unless `partial`, if one is
/// missing or was interrupted.
Report merge(const std::vector<NamedReport>& shards, bool partial);

/// The merged shards as a single one: shard `index` of `count`.
Report as_one_part(Report merged, int index, int count);

}  // namespace gradproof::report
