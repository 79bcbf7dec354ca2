// The gradient of 2×2 max pooling from a bit mask with the C++ layer, as
// ../max_pool2d_with_mask_backward.cpp.
#include <array>

#include "gradproof/aclnn.hpp"
#include "print.h"

using namespace gradproof::aclnn;

int main() try {
  const Library library = Library::start().value();
  const Stream stream = Stream::create().value();
  const std::array<int64_t, 4> image = {1, 1, 4, 4}, pooled = {1, 1, 2, 2};
  const int64_t row = 32;  // 16-bit words of a kernel position: 4 rounded up to 16, plus 16
  std::vector<int8_t> mask(4 * row * 2);
  const std::array<int64_t, 4> maximum_at = {0, 3, 1, 2};  // kernel position, by output position
  for (std::size_t p = 0; p < 4; ++p) mask[(maximum_at[p] * row + p) * 2] = 1;  // bit 0: channel 0

  const auto mask_data = Buffer<int8_t>::copy_of(mask).value();
  const auto grad_output_data =
      Buffer<float>::copy_of(std::array<float, 4>{1.5f, 2.5f, 3.5f, 4.5f}).value();
  const auto grad_input_data = Buffer<float>::allocate(16).value();
  const auto indices = Tensor::over(mask_data, {1, 1, 4, row * 2}, ACL_FORMAT_NCHW).value();
  const auto grad_output = Tensor::over(grad_output_data, pooled, ACL_FORMAT_NCHW).value();
  const auto self = Tensor::described<float>(image, ACL_FORMAT_NCHW).value();
  const auto grad_input = Tensor::over(grad_input_data, image, ACL_FORMAT_NCHW).value();
  const auto kernel = IntArray::of({2, 2}).value(), stride = IntArray::of({}).value(),
             padding = IntArray::of({0, 0}).value(), dilation = IntArray::of({1, 1}).value();

  auto call = max_pool2d_with_mask_backward(grad_output, self, indices, kernel, stride, padding,
                                            dilation, false, grad_input)
                  .value();
  call.run(stream).value();
  std::vector<float> values(16);
  grad_input_data.write_to(values).value();
  print("gradInput", values, 4);
} catch (const StatusException& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
