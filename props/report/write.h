// A report's files.
#pragma once

#include <filesystem>
#include <string>

#include "props/profiles/known.h"
#include "props/report/report.h"

namespace gradproof::report {

/// The file appears whole or not at all: others may read the folder, and a process that is killed
/// while it writes leaves the old file. Throws InputError.
void write_whole(const std::filesystem::path& file, const std::string& text);

/// Creates the folder if it is missing. Called before a campaign, so that an unusable folder is
/// reported at once. Throws InputError.
void prepare_folder(const std::string& folder);

/// Also called before a campaign: throws InputError where the file could not be written after it.
void demand_writable_file(const std::string& file);

/// Writes report.json, junit.xml and report.html, each whole. Throws InputError.
void write_report(const Report& report, const std::string& folder);

/// Writes a list for --known: what was known before, then the report's findings without memory
/// damage, which cannot be silenced. Throws InputError.
void write_known(const Report& report, const profiles::KnownList& before, const std::string& file);

/// Writes report.html alone, in the same way.
void write_page(const std::string& html, const std::string& folder);

}  // namespace gradproof::report
