// The gradient of 2×2 max pooling from a bit mask that the program writes itself: a 16-bit word for
// each kernel position and output position, whose bit c means "channel c has its maximum here".
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "example.h"

int main() {
  Device device;
  const std::vector<int64_t> image = {1, 1, 4, 4}, pooled = {1, 1, 2, 2};
  const int64_t kernel_positions = 4, output_positions = 4;
  // Words of one kernel position: the number of output positions rounded up to 16, plus 16.
  const int64_t row = ((output_positions + 15) / 16 + 1) * 16;

  std::vector<uint16_t> mask(kernel_positions * row, 0);
  const int64_t maximum_at[] = {0, 3, 1, 2};  // kernel position kh·2 + kw, by output position
  for (int64_t p = 0; p < output_positions; ++p) mask[maximum_at[p] * row + p] |= 1u << 0;

  // The API describes the mask as INT8 of shape [N, C, kH·kW, bytes of a row].
  std::vector<int8_t> bytes(kernel_positions * row * 2);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    bytes[2 * i] = static_cast<int8_t>(mask[i] & 0xff);
    bytes[2 * i + 1] = static_cast<int8_t>(mask[i] >> 8);
  }
  Tensor<int8_t> indices(ACL_INT8, ACL_FORMAT_NCHW, {1, 1, kernel_positions, row * 2}, bytes);
  Tensor<float> self(ACL_FLOAT, ACL_FORMAT_NCHW, image, std::vector<float>(16));
  Tensor<float> grad_output(ACL_FLOAT, ACL_FORMAT_NCHW, pooled, {1.5f, 2.5f, 3.5f, 4.5f});
  Tensor<float> grad_input(ACL_FLOAT, ACL_FORMAT_NCHW, image, std::vector<float>(16));
  const IntArray kernel({2, 2}), stride({}), padding({0, 0}),
      dilation({1, 1});  // an empty stride is the kernel size

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
      grad_output.get(), self.get(), indices.get(), kernel.get(), stride.get(), padding.get(),
      dilation.get(), false, grad_input.get(), &workspace_size, &executor));
  device.run(aclnnMaxPool2dWithMaskBackward, workspace_size, executor);
  print("gradInput", grad_input.values(), 4);
}
