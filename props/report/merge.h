// Joins the reports of a campaign's shards.
#pragma once

#include <string>
#include <vector>

#include "props/report/report.h"

namespace gradproof::report {

struct NamedReport {
  std::string path;  ///< for messages
  Report report;
};

/// The campaign that the shards are parts of, whatever their order. Throws InputError that names
/// the file if they have different questions, if a shard is there twice, or, unless `partial`, if
/// one is missing or was interrupted.
Report merge(const std::vector<NamedReport>& shards, bool partial);

/// The merged shards as if they had been one: shard `index` of `count`.
Report as_one_part(Report merged, int index, int count);

}  // namespace gradproof::report
