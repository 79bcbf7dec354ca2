// The gradient of replication padding in half precision with the C++ layer, as
// ../replication_pad2d_backward.cpp.
#include "gradproof/aclnn.hpp"
#include "print.h"

using namespace gradproof::aclnn;

int main() try {
  const Library library = Library::start().value();
  const Stream stream = Stream::create().value();
  const auto grad_output_data = Buffer<Half>::copy_of(std::vector<Half>(15, Half(1.0f))).value();
  const auto grad_input_data = Buffer<Half>::allocate(6).value();
  const auto grad_output = Tensor::over(grad_output_data, {1, 5, 3}).value();
  const auto self = Tensor::described<Half>({1, 3, 2}).value();
  const auto grad_input = Tensor::over(grad_input_data, {1, 3, 2}).value();
  const auto padding = IntArray::of({1, 0, 0, 2}).value();  // left, right, top, bottom

  auto call = replication_pad2d_backward(grad_output, self, padding, grad_input).value();
  call.run(stream).value();
  std::vector<Half> halves(6);
  grad_input_data.write_to(halves).value();
  std::vector<float> values;
  for (const Half half : halves) values.push_back(static_cast<float>(half));
  print("gradInput", values, 2);
} catch (const StatusException& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
