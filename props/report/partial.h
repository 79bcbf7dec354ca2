// What a run did not test, of all that it could have tested.
#pragma once

#include <string>
#include <vector>

#include "props/report/report.h"

namespace gradproof::report {

/// Stems of the operators that are not among those of the run, unless options selected those.
std::vector<std::string> other_operators(const Report& report);

/// "partial run: 12 of 320 coverage points and adaptive_max_pool3d were not tested"; "" if the run
/// was whole. Counts alone: long lists of names would hide the verdict; report.html has the names.
std::string partial_run(const Report& report);

}  // namespace gradproof::report
