// junit.xml: one suite per operator, one test case per property.
#pragma once

#include <string>

#include "props/report/report.h"

namespace gradproof::report {

/// Valid by the strict schema of Ant's JUnit task and by that of Jenkins.
std::string to_junit(const Report& report);

}  // namespace gradproof::report
