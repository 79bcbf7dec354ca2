// The gradient of bilinear upsampling from 2×2 to 3×3 with aligned corners: the middle row and
// column are the means of their neighbours, so each neighbour gets half of their gradient.
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "example.h"

int main() {
  Device device;
  Tensor<float> grad_out(ACL_FLOAT, ACL_FORMAT_NCHW, {1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  Tensor<float> out(ACL_FLOAT, ACL_FORMAT_NCHW, {1, 1, 2, 2}, std::vector<float>(4));
  const IntArray output_size({3, 3}), input_size({1, 1, 2, 2});

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnUpsampleBilinear2dBackwardV2GetWorkspaceSize(grad_out.get(), output_size.get(),
                                                          input_size.get(), true, 0, 0, out.get(),
                                                          &workspace_size, &executor));
  device.run(aclnnUpsampleBilinear2dBackwardV2, workspace_size, executor);
  print("gradient of the 2x2 image", out.values(), 2);
}
