// Entries of a profile on the terminal, in report.json and in report.html.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "props/report/report.h"

namespace gradproof::report {

/// Prints the profile with its counts, the entries that were not met, and the known findings.
void print_entries(std::ostream& out, const Report& report);
/// A line for each entry that the library contradicts.
void print_refuted(std::ostream& out, const Report& report);
/// What these lines add to the verdict: ", 2 contradicted entries"; "" if there are none.
std::string refuted_text(const Report& report);

nlohmann::ordered_json entries_to_json(const Entries& entries);
/// Throws nlohmann's exceptions.
Entries entries_from_json(const nlohmann::json& json);

/// A section of report.html; empty for a profile without entries of its own.
std::string entries_to_html(const Report& report);

}  // namespace gradproof::report
