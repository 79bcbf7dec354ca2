// A report's files.
#pragma once

#include <string>

#include "props/report/report.h"

namespace gradproof::report {

/// Makes the folder if there is none, so that a campaign need not run to find out that it cannot.
/// Throws InputError.
void prepare_folder(const std::string& folder);

/// Writes report.json, junit.xml and report.html. Each appears whole or not at all: a process that
/// is killed while it writes leaves what was there before. Throws InputError.
void write_report(const Report& report, const std::string& folder);

/// Writes the report's findings as a list of known ones for --known; damage to memory is left out,
/// as no list silences it. Throws InputError.
void write_known(const Report& report, const std::string& file);

/// Writes report.html alone, in the same way.
void write_page(const std::string& html, const std::string& folder);

}  // namespace gradproof::report
