// The operators' rows, each in the file of its family, for the table. Other code asks traits.h.
#pragma once

#include "props/cases/traits.h"

namespace gradproof::props {

namespace rows {
#define GRADPROOF_ROW(stem, api) extern const OperatorTraits stem;
GRADPROOF_OPERATORS(GRADPROOF_ROW)
#undef GRADPROOF_ROW
}  // namespace rows

/// The tensors of the forward input's shape.
inline constexpr std::string_view kGradientInputs[] = {"self", "gradInput"},
                                  kForwardInputs[] = {"self"};

bool is_newer(ref::Product product);
/// The types of most: FLOAT and FLOAT16, and BF16 on newer products.
std::vector<std::int32_t> float_dtypes(ref::Product product);

}  // namespace gradproof::props
