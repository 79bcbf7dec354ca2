// Findings are alike if they have the same headline.
#include "props/campaign/tell_found.h"

#include <functional>
#include <string>

namespace gradproof::campaign {

bool tell_found(const report::Failure& found, const Settings& settings, Tally& tally,
                Progress& progress) {
  const std::size_t sort = std::hash<std::string>()(report::headline(found));
  if (!tally.first(sort, settings.shard.index)) return false;
  ++tally.findings;
  progress.clear();
  settings.announce(found);
  return true;
}

}  // namespace gradproof::campaign
