// What a person needs beside a finding.
#pragma once

#include <string>

#include "props/campaign/checker.h"
#include "props/campaign/finding.h"

namespace gradproof::campaign {

/// Performs a check that failed once more and returns its calls with their results; "" if none are
/// shown. The failure then has the verdict of that run, so that text and results fit together;
/// where another run had another result, the text says so. A call that hangs, or that is judged by
/// phase 1 alone, is not performed again.
std::string look_again(Checker& checker, Failure& failure);

/// What print_got says of results that no judged run had.
inline constexpr const char* kOtherRun = " in another run";

/// Of a call that is judged by phase 1: its arguments, and how it breaks which rule. Of others:
/// what went in, what had to come out and what came out, of each call if the property compares
/// calls of its own; "" if a tensor has more than 64 elements, or if the finding is about the
/// library as a whole. Looks again.
std::string picture(Checker& checker, Failure& failure);

}  // namespace gradproof::campaign
