// report.html: one page that needs nothing but itself.
#pragma once

#include <string>

#include "props/report/report.h"

namespace gradproof::report {

/// No script, no network, light or dark as the reader's system is.
std::string to_html(const Report& report);

}  // namespace gradproof::report
