// report.json: a report as a file, and back.
#pragma once

#include <string>

#include "props/report/report.h"

namespace gradproof::report {

std::string to_json(const Report& report);
/// Throws InputError that begins with `path` if the text is no report of this format.
Report from_json(const std::string& text, const std::string& path);
/// The file report.json itself, or one that lies in the folder `path`.
Report read_report(const std::string& path);

}  // namespace gradproof::report
