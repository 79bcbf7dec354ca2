// Adaptive max pooling and its gradient with the C++ layer, as ../adaptive_max_pool3d_backward.cpp.
#include <array>

#include "gradproof/aclnn.hpp"
#include "print.h"

using namespace gradproof::aclnn;

int main() try {
  const Library library = Library::start().value();
  const Stream stream = Stream::create().value();
  const std::array<int64_t, 5> volume = {1, 1, 1, 2, 5}, pooled = {1, 1, 1, 1, 2};
  const auto self_data =
      Buffer<float>::copy_of(std::array<float, 10>{1, 2, 3, 4, 5, 6, 7, 9, 8, 0}).value();
  const auto out_data = Buffer<float>::allocate(2).value();
  const auto indices_data = Buffer<int32_t>::allocate(2).value();
  const auto self = Tensor::over(self_data, volume, ACL_FORMAT_NCDHW).value();
  const auto out = Tensor::over(out_data, pooled, ACL_FORMAT_NCDHW).value();
  const auto indices = Tensor::over(indices_data, pooled, ACL_FORMAT_NCDHW).value();
  const auto output_size = IntArray::of({1, 1, 2}).value();

  auto forward = adaptive_max_pool3d(self, output_size, out, indices).value();
  forward.run(stream).value();
  std::vector<int32_t> positions(2);
  indices_data.write_to(positions).value();
  print("indices", positions, 2);

  const auto grad_output_data = Buffer<float>::copy_of(std::array<float, 2>{10, 20}).value();
  const auto grad_input_data = Buffer<float>::allocate(10).value();
  const auto grad_output = Tensor::over(grad_output_data, pooled, ACL_FORMAT_NCDHW).value();
  const auto grad_input = Tensor::over(grad_input_data, volume, ACL_FORMAT_NCDHW).value();
  auto backward = adaptive_max_pool3d_backward(grad_output, self, indices, grad_input).value();
  backward.run(stream).value();
  std::vector<float> values(10);
  grad_input_data.write_to(values).value();
  print("gradInput", values, 5);
} catch (const StatusException& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
