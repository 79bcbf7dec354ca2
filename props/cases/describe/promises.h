// What a case asks of a library beyond the operators' documents: what only some libraries promise
// (docs/contract.md, "Our own promises").
#pragma once

#include <string_view>
#include <vector>

#include "props/cases/case.h"

namespace gradproof::props {

/// A positive scale of upsampling counts and does not fit the sizes (ref/scales.h).
inline constexpr std::string_view kNonFittingScales = "non-fitting-scales";
/// The data of the 2-D pool's forward may hold NaN or −Inf.
inline constexpr std::string_view kForwardNan = "forward-nan";

/// The promises that the case asks for; none of a case that the documents speak about. A call that
/// breaks a rule asks for none: it is to be refused whatever else is in it.
std::vector<std::string_view> promises_asked(const Case& c);

}  // namespace gradproof::props
