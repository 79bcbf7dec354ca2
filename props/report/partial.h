// What a run did not test, of all that it could have tested.
#pragma once

#include <string>
#include <vector>

#include "props/report/report.h"

namespace gradproof::report {

/// Stems of the operators that are not among those of the run, unless options selected those.
std::vector<std::string> other_operators(const Report& report);

/// "partial run: 12 of 320 coverage points and adaptive_max_pool3d were not tested"; "" if the run
/// was whole. Counts alone: long lists of names would hide the verdict.
std::string partial_run(const Report& report);

/// The names of the case classes, by operator, and of the properties among them, a sentence each.
/// Of coverage points and boundary sides there are too many; report.html has them.
std::vector<std::string> untested_names(const Report& report);

}  // namespace gradproof::report
