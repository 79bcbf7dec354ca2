// What a person needs beside a finding.
#pragma once

#include <string>

#include "props/campaign/checker.h"
#include "props/campaign/finding.h"

namespace gradproof::campaign {

/// Of a call that is judged by phase 1: its arguments, and how it breaks which rule. Of others:
/// what went in, what had to come out and what came out, of each call if the property compares
/// calls of its own; "" if a tensor has more than 64 elements. A call that hangs is not performed
/// again.
std::string picture(Checker& checker, const Failure& failure);

}  // namespace gradproof::campaign
