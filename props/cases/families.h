// The rows of the families, for the table of operators. Other code asks an operator's row.
#pragma once

#include "props/cases/traits.h"

namespace gradproof::props {

extern const FamilyTraits kMaxPool3d, kMaxPool2d, kUpsampleBilinear2d, kReplicationPad2d,
    kAdaptiveMaxPool3d;

bool is_newer(ref::Product product);
/// The types of most: FLOAT and FLOAT16, and BF16 on newer products.
std::vector<std::int32_t> float_dtypes(ref::Product product);

}  // namespace gradproof::props
