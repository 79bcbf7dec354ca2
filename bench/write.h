// Files of a campaign: results.json, table.txt and the plots.
#pragma once

#include <string>

#include "bench/results.h"

namespace gradproof::bench {

/// Writes everything into `folder`, which is made if need be. `command` is what was asked for.
/// Throws InputError if a file cannot be written.
void write_results(const std::string& folder, const std::vector<Result>& results,
                   const std::string& command);

/// The SVG files by name: "bars_FLOAT_1.svg", "roofline_1.svg", "threads.svg",
/// "sizes_<stem>_1.svg"; those for which there is nothing to draw are left out.
std::vector<std::pair<std::string, std::string>> plots(const std::vector<Result>& results);

}  // namespace gradproof::bench
