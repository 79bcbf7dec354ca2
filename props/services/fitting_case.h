// A small call for questions that need a call of a certain kind, which is rarely drawn.
#pragma once

#include <algorithm>
#include <optional>

#include "props/cases/case.h"
#include "props/subject/library.h"

namespace gradproof::props {

/// The gradient of padding a small image, whose result fits into its input, and which several
/// kernels compute. Nothing where the library lacks that operator.
inline std::optional<Case> padding_case(const Library& library, ref::Product product) {
  Case c = parse_case(
      "replication_pad2d_backward gradOutput=FLOAT[1,3,3]:ND self=FLOAT[1,2,2]:ND "
      "padding=1,0,0,1 gradInput=FLOAT[1,2,2]:ND");
  if (std::ranges::count(library.operators(), c.call.op) == 0) return std::nullopt;
  c.call.product = product;
  return c;
}

/// That, or `c` itself.
inline Case fitting_case(const Library& library, const Case& c) {
  return padding_case(library, c.call.product).value_or(c);
}

}  // namespace gradproof::props
