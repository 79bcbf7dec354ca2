// junit.xml: a suite an operator, a test case a property.
#pragma once

#include <string>

#include "props/report/report.h"

namespace gradproof::report {

/// Fits the strict schema of Ant's JUnit task as well as that of Jenkins.
std::string to_junit(const Report& report);

}  // namespace gradproof::report
