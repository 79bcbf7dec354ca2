// The gradient of bilinear upsampling from 2×2 to 3×3 with the C++ layer, as
// ../upsample_bilinear2d_backward.cpp.
#include <array>

#include "gradproof/aclnn.hpp"
#include "print.h"

using namespace gradproof::aclnn;

int main() try {
  const Library library = Library::start().value();
  const Stream stream = Stream::create().value();
  const auto grad_out_data =
      Buffer<float>::copy_of(std::array<float, 9>{1, 2, 3, 4, 5, 6, 7, 8, 9}).value();
  const auto out_data = Buffer<float>::allocate(4).value();
  const auto grad_out = Tensor::over(grad_out_data, {1, 1, 3, 3}, ACL_FORMAT_NCHW).value();
  const auto out = Tensor::over(out_data, {1, 1, 2, 2}, ACL_FORMAT_NCHW).value();
  const auto output_size = IntArray::of({3, 3}).value();
  const auto input_size = IntArray::of({1, 1, 2, 2}).value();

  auto call =
      upsample_bilinear2d_backward(grad_out, output_size, input_size, true, 0, 0, out).value();
  call.run(stream).value();
  std::vector<float> values(4);
  out_data.write_to(values).value();
  print("gradient of the 2x2 image", values, 2);
} catch (const StatusException& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
