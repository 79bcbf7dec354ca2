// How much work (parallel.h) it is to add the terms of a 3-D pool's gradient one by one.
#pragma once

#include "opt/base/checked.h"
#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"

namespace gradproof::kernels {

inline std::int64_t scatter_work(const MaxPool3dBackwardGeometry& g) {
  // Adding a term takes as long as clearing and storing four elements:
  // `./run bench --filter cached_pool3d --threads 1`.
  const std::int64_t terms = saturating_mul(4, g.out.d * g.out.h * g.out.w);
  return saturating_mul(g.n * g.c, saturating_add(g.in.d * g.in.h * g.in.w, terms));
}

}  // namespace gradproof::kernels
