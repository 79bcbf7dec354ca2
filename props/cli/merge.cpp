// gradproof merge: the shards of a campaign as one report.
#include "props/report/merge.h"

#include "props/cli/summary.h"
#include "props/report/json.h"
#include "props/report/write.h"

namespace gradproof::cli {

int merge(const Options& options) {
  if (!options.report.empty()) report::prepare_folder(options.report);
  std::vector<report::NamedReport> shards;
  for (const std::string& path : options.words) shards.push_back({path, report::read_report(path)});
  const report::Report whole = report::merge(shards, options.partial);
  return conclude(whole, options, {});
}

}  // namespace gradproof::cli
