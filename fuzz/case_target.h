// What the targets on Cases share: which operator they are about, the library linked into them, and
// what happens when it is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "props/cases/case.h"
#include "props/judge/verdict.h"
#include "props/subject/session.h"

namespace gradproof::fuzz {

/// The operator of every input of this program; none if the input says it.
std::optional<ref::Operator> only_operator();

/// A session of the library in this program, standing for that product with one thread a call.
props::Session& session(ref::Product product);

using Check = props::Verdict (*)(const props::Case& c);
/// Ends the program with the finding, the case made small and the line that repeats it, unless the
/// check holds. With GRADPROOF_FUZZ_SHOW in the environment every case is printed before its check,
/// for inputs that end the program some other way.
void demand(const props::Case& c, Check check);

/// A case that is valid and small enough to be run some thousand times a second: the one that the
/// bytes say if it is such a one, else one that is drawn from them.
props::Case small_case(std::span<const std::uint8_t> bytes);

/// The largest piece of memory that anyone asked for since the last call, as far as a sanitizer
/// tells; else 0.
std::size_t largest_allocation();

}  // namespace gradproof::fuzz
