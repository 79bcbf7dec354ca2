// A small call for questions that need a call of a certain kind, which is rarely drawn.
#pragma once

#include <algorithm>

#include "props/cases/case.h"
#include "props/subject/library.h"

namespace gradproof::props {

/// Its result fits into its input, and several kernels compute it. `c` itself where the library
/// lacks that operator.
inline Case fitting_case(const Library& library, const Case& c) {
  Case fits = parse_case(
      "replication_pad2d_backward gradOutput=FLOAT[1,3,3]:ND self=FLOAT[1,2,2]:ND "
      "padding=1,0,0,1 gradInput=FLOAT[1,2,2]:ND");
  if (std::ranges::count(library.operators(), fits.call.op) == 0) return c;
  fits.call.product = c.call.product;
  return fits;
}

}  // namespace gradproof::props
