// Max pooling in three dimensions and its gradient with the C++ layer, as
// ../max_pool3d_with_argmax_backward.cpp.
#include <array>

#include "gradproof/aclnn.hpp"
#include "print.h"

using namespace gradproof::aclnn;

int main() try {
  const Library library = Library::start().value();
  const Stream stream = Stream::create().value();
  const std::array<int64_t, 5> volume = {1, 1, 2, 3, 3}, pooled = {1, 1, 1, 2, 2};
  const auto self_data = Buffer<float>::copy_of(std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1,
                                                                   2, 3, 9, 5, 6, 7, 8})
                             .value();
  const auto out_data = Buffer<float>::allocate(4).value();
  const auto indices_data = Buffer<int32_t>::allocate(4).value();
  const auto self = Tensor::over(self_data, volume, ACL_FORMAT_NCDHW).value();
  const auto out = Tensor::over(out_data, pooled, ACL_FORMAT_NCDHW).value();
  const auto indices = Tensor::over(indices_data, pooled, ACL_FORMAT_NCDHW).value();
  const auto kernel = IntArray::of({2}).value(), stride = IntArray::of({1}).value(),
             padding = IntArray::of({0}).value(), dilation = IntArray::of({1}).value();

  auto forward =
      max_pool3d_with_argmax(self, kernel, stride, padding, dilation, false, out, indices).value();
  forward.run(stream).value();
  std::vector<int32_t> positions(4);
  indices_data.write_to(positions).value();
  print("indices", positions, 2);

  const auto grad_output_data = Buffer<float>::copy_of(std::array<float, 4>{1, 2, 3, 4}).value();
  const auto grad_input_data = Buffer<float>::allocate(18).value();
  const auto grad_output = Tensor::over(grad_output_data, pooled, ACL_FORMAT_NCDHW).value();
  const auto grad_input = Tensor::over(grad_input_data, volume, ACL_FORMAT_NCDHW).value();
  auto backward = max_pool3d_with_argmax_backward(grad_output, self, indices, kernel, stride,
                                                  padding, dilation, false, grad_input)
                      .value();
  backward.run(stream).value();
  std::vector<float> values(18);
  grad_input_data.write_to(values).value();
  print("gradInput", values, 3);
} catch (const StatusException& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
