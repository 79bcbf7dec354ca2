// Profile entries that change which values are right, to find out which one explains a failure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "props/profiles/profile.h"

namespace gradproof::profiles {

/// Whether an entry that says how values are computed has anything to say of the call's operator.
bool concerns(const Entry& entry, const ref::Call& call);

/// All such entries, and those that say what bits may depend on, without a condition.
std::span<const Entry> value_entries();
/// Some of value_entries(), by their places, in order.
using Some = std::vector<std::uint16_t>;
/// Those that may explain wrong values of the call or, with `bits`, other bits than those of
/// another run. What a kernel hardly does is left out: sums in a type narrower than the result's.
Some that_may_explain(const ref::Call& call, bool bits);
/// As a file has it: "zero_times_infinity": "NaN"; "bits": ["layout"].
std::string as_written(const Entry& entry);
/// The profile with these entries besides, which win over its own.
Profile with_entries(Profile profile, const Some& some);

}  // namespace gradproof::profiles
