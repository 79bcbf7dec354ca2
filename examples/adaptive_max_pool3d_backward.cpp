// Adaptive max pooling and its gradient: two windows over five columns share the middle one, both
// have their maximum there, and its gradient is the sum of both.
#include "aclnnop/aclnn_adaptive_max_pool3d.h"
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "example.h"

int main() {
  Device device;
  const std::vector<int64_t> volume = {1, 1, 1, 2, 5}, pooled = {1, 1, 1, 1, 2};
  Tensor<float> self(ACL_FLOAT, ACL_FORMAT_NCDHW, volume, {1, 2, 3, 4, 5, 6, 7, 9, 8, 0});
  Tensor<float> out(ACL_FLOAT, ACL_FORMAT_NCDHW, pooled, std::vector<float>(2));
  Tensor<int32_t> indices(ACL_INT32, ACL_FORMAT_NCDHW, pooled, std::vector<int32_t>(2));
  const IntArray output_size({1, 1, 2});

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnAdaptiveMaxPool3dGetWorkspaceSize(self.get(), output_size.get(), out.get(),
                                               indices.get(), &workspace_size, &executor));
  device.run(aclnnAdaptiveMaxPool3d, workspace_size, executor);
  print("indices", indices.values(), 2);

  Tensor<float> grad_output(ACL_FLOAT, ACL_FORMAT_NCDHW, pooled, {10, 20});
  Tensor<float> grad_input(ACL_FLOAT, ACL_FORMAT_NCDHW, volume, std::vector<float>(10));
  CHECK(aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize(
      grad_output.get(), self.get(), indices.get(), grad_input.get(), &workspace_size, &executor));
  device.run(aclnnAdaptiveMaxPool3dBackward, workspace_size, executor);
  print("gradInput", grad_input.values(), 5);
}
