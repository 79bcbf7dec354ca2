// The gradient of replication padding in half precision: the gradient of a border element is the
// sum over itself and all copies that the padding made of it.
#include "aclnnop/aclnn_pad2d_backward.h"
#include "example.h"

int main() {
  Device device;
  const aclFloat16 zero = aclFloatToFloat16(0.0f), one = aclFloatToFloat16(1.0f);
  const std::vector<int64_t> image = {1, 3, 2}, padded = {1, 5, 3};
  Tensor<aclFloat16> self(ACL_FLOAT16, ACL_FORMAT_ND, image, std::vector<aclFloat16>(6, zero));
  Tensor<aclFloat16> grad_output(ACL_FLOAT16, ACL_FORMAT_ND, padded,
                                 std::vector<aclFloat16>(15, one));
  Tensor<aclFloat16> grad_input(ACL_FLOAT16, ACL_FORMAT_ND, image,
                                std::vector<aclFloat16>(6, zero));
  const IntArray padding({1, 0, 0, 2});  // one column at the left, two rows at the bottom

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnReplicationPad2dBackwardGetWorkspaceSize(
      grad_output.get(), self.get(), padding.get(), grad_input.get(), &workspace_size, &executor));
  device.run(aclnnReplicationPad2dBackward, workspace_size, executor);

  std::vector<float> values;
  for (aclFloat16 half : grad_input.values()) values.push_back(aclFloat16ToFloat(half));
  print("gradInput", values, 2);
}
