// Writes and reads report.json.
#pragma once

#include <string>

#include "props/report/report.h"

namespace gradproof::report {

std::string to_json(const Report& report);
/// Throws InputError that begins with `path` if the text is not a report of this format.
Report from_json(const std::string& text, const std::string& path);
/// Reads the file `path`, or report.json in the folder `path`.
Report read_report(const std::string& path);

}  // namespace gradproof::report
