// The facts at the top of report.html: what was tested, by which command, when, and by which
// version.
#pragma once

#include <string>

#include "props/report/report.h"

namespace gradproof::report {

/// "gradproof verify --seconds 60 --seed 1": the command without its subject.
std::string command_of(const Report& report);

std::string facts_to_html(const Report& report);

}  // namespace gradproof::report
