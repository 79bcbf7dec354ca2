// A plane of the 3-D pools' gradients.
#pragma once

#include "opt/kernels/index_pool/max_pool3d_with_argmax_backward.h"
#include "opt/kernels/read_once.h"

namespace gradproof::kernels {

/// An index, as unsigned so that negative ones are beyond any position.
inline std::uint32_t read_index(const std::int32_t* from) {
  return static_cast<std::uint32_t>(read_once(*from));
}

template <class Scalar>
struct IndexedPlane {
  const Scalar* grad_output;
  const std::int32_t* indices;
  Scalar* grad_input;

  IndexedPlane(const MaxPool3dBackwardGeometry& g, const MaxPool3dBackwardBuffers& b,
               std::int64_t plane) {
    const std::int64_t n = plane < g.c ? 0 : plane / g.c;  // a division takes its time
    const std::int64_t c = plane - n * g.c;
    grad_output =
        static_cast<const Scalar*>(b.grad_output) + n * g.grad_output.n + c * g.grad_output.c;
    indices = b.indices + n * g.indices.n + c * g.indices.c;
    grad_input = static_cast<Scalar*>(b.grad_input) + n * g.grad_input.n + c * g.grad_input.c;
  }
};

}  // namespace gradproof::kernels
