// What a call must have answered.
#pragma once

#include <string>

#include "tests/ops/call_spec.h"

namespace gradproof::test {

/// Success of both phases and of the work.
void expect_done(const CallSpec& call);
/// Success of phase 1: both outputs filled.
void expect_valid(const CallSpec& call, const std::string& what);
/// Refusal: status, untouched outputs, and a message of the common form that names the argument.
void expect_refused(const CallSpec& call, const std::string& rule, const std::string& argument,
                    const std::string& what);

}  // namespace gradproof::test
