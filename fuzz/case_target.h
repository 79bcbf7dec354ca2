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
/// Which cases a check is about.
using Domain = bool (*)(const props::Case& c);
inline bool any_case(const props::Case&) { return true; }
/// Ends the program with the finding, the case shrunk within the domain and the line that
/// repeats it, unless the check holds. With GRADPROOF_FUZZ_SHOW in the environment every case is
/// printed before its check, for inputs that end the program some other way.
void demand(const props::Case& c, Check check, Domain domain = any_case);

/// Whether a case is valid and small enough to be run some thousand times a second.
bool is_small_and_valid(const props::Case& c);
/// Such a case: the one that the bytes say if it is one, else one that is drawn from them.
props::Case small_case(std::span<const std::uint8_t> bytes);

/// Whether the answer to the call depends on where tensors are that no memory can hold.
bool fits_no_memory(const ref::Call& call);

/// The largest piece of memory that anyone asked for since the last call, as far as a sanitizer
/// tells; else 0.
std::size_t largest_allocation();

}  // namespace gradproof::fuzz
