// The 2-D pool's mask as some hardware has it: INT32 positions h·W + w, one for each output
// element, in the first 4·N·C·Ho·Wo bytes of the buffer; what comes behind them means nothing.
//
// The suite thinks in bits. What a library with positions reads and writes is translated here.
#pragma once

#include <optional>
#include <string>

#include "ref/exact.h"

namespace gradproof::props {

/// Of a mask whose windows have exactly one bit each, inside the plane; nothing for any other,
/// which positions cannot say.
std::optional<ref::Dense> mask_to_positions(const ref::Call& call, const ref::Dense& mask);

/// The other way round. `wrong` gets the first position that is outside its window, whose bit is
/// left out.
ref::Dense positions_to_mask(const ref::Call& call, const ref::Dense& positions,
                             std::string& wrong);

}  // namespace gradproof::props
