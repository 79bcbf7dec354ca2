// CANN's ATK case lists: JSON arrays of cases with shapes, types and value ranges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "props/cases/text/case_file.h"

namespace gradproof::props {

/// The cases of a file's text; `path` is for messages. Throws InputError.
///
/// ATK lists describe the call loosely: `indices` has neither contents nor, for a mask, a shape, so
/// indices come from the forward of `self`; an upsampling lists `input` and `size`, and its
/// outputSize, inputSize and scales are placeholders. The product is Ascend910B.
std::vector<NamedCase> read_atk(const std::string& path, std::string_view text);

}  // namespace gradproof::props
