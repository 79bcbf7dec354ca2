// Max pooling in three dimensions and its gradient: four overlapping 2×2×2 windows over a 2×3×3
// volume all have their maximum at one voxel, whose gradient is the sum of the four.
#include "aclnnop/aclnn_max_pool3d_with_argmax.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"
#include "example.h"

int main() {
  Device device;
  const std::vector<int64_t> volume = {1, 1, 2, 3, 3}, pooled = {1, 1, 1, 2, 2};
  Tensor<float> self(ACL_FLOAT, ACL_FORMAT_NCDHW, volume,
                     {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 9, 5, 6, 7, 8});
  Tensor<float> out(ACL_FLOAT, ACL_FORMAT_NCDHW, pooled, std::vector<float>(4));
  Tensor<int32_t> indices(ACL_INT32, ACL_FORMAT_NCDHW, pooled, std::vector<int32_t>(4));
  const IntArray kernel({2}), stride({1}), padding({0}), dilation({1});

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnMaxPool3dWithArgmaxGetWorkspaceSize(self.get(), kernel.get(), stride.get(),
                                                 padding.get(), dilation.get(), false, out.get(),
                                                 indices.get(), &workspace_size, &executor));
  device.run(aclnnMaxPool3dWithArgmax, workspace_size, executor);
  print("indices", indices.values(), 2);

  Tensor<float> grad_output(ACL_FLOAT, ACL_FORMAT_NCDHW, pooled, {1, 2, 3, 4});
  Tensor<float> grad_input(ACL_FLOAT, ACL_FORMAT_NCDHW, volume, std::vector<float>(18));
  CHECK(aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize(
      grad_output.get(), self.get(), indices.get(), kernel.get(), stride.get(), padding.get(),
      dilation.get(), false, grad_input.get(), &workspace_size, &executor));
  device.run(aclnnMaxPool3dWithArgmaxBackward, workspace_size, executor);
  print("gradInput", grad_input.values(), 3);
}
