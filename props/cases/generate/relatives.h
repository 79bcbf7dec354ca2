// Small cases of the same kind as a given one.
#pragma once

#include <optional>

#include "props/cases/case.h"
#include "props/cases/generate/source.h"

namespace gradproof::props {

/// A valid case no tensor of which has more than kReadable elements, masks aside, with the
/// operator, types, rank and format of the valid case `c`: drawn anew, or `c` with another size of
/// one axis before and after. Nothing if what was drawn is too large.
std::optional<Case> small_relative(Source& source, const Case& c);

}  // namespace gradproof::props
