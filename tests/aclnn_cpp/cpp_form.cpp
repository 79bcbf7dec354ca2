// The same call on the C++ layer.
#include "forms.h"

#include "gradproof/aclnn.hpp"

using namespace gradproof::aclnn;

namespace {
float gradient[4], image[2];
}

bool cpp_form() {
  const Expected<Tensor> grad_output = Tensor::over(gradient, {1, 1, 4});
  const Expected<Tensor> self = Tensor::described<float>({1, 1, 2});
  const Expected<Tensor> grad_input = Tensor::over(image, {1, 1, 2});
  const Expected<IntArray> padding = IntArray::of({1, 1, 0, 0});
  if (!grad_output || !self || !grad_input || !padding) return false;
  auto call = replication_pad2d_backward(*grad_output, *self, *padding, *grad_input);
  return call && call->launch(Stream()) && Stream().synchronize();
}
