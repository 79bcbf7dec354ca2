// report.html: one self-contained page.
#pragma once

#include <string>

#include "props/report/report.h"

namespace gradproof::report {

/// Without scripts or network access; follows the reader's light or dark colour scheme.
std::string to_html(const Report& report);

}  // namespace gradproof::report
