// Shows a defect of ATen: two gradients read a strided tensor of indices as if it were contiguous.
// Exit status 0 if they do.
#include <ATen/ATen.h>

#include <cstdio>

int main() {
  // Two channels of two elements, pooled to one each: elements 0 and 1.
  const at::Tensor input = at::zeros({1, 2, 1, 1, 2}), gradient = at::ones({1, 2, 1, 1, 1});
  const at::Tensor wide = at::tensor({0, 0, 1, 0}, at::kLong).view({1, 2, 1, 1, 2});
  const at::Tensor indices = wide.slice(4, 0, 1);  // every second element: 0 and 1
  int wrong = 0;
  const auto judge = [&](const char* name, const auto& call) {
    const at::Tensor expected = call(indices.contiguous());
    const at::Tensor got = call(indices).flatten();
    wrong += got.equal(expected.flatten()) ? 0 : 1;
    std::printf("%s: %g %g %g %g, expected 1 0 0 1\n", name, got[0].item<float>(),
                got[1].item<float>(), got[2].item<float>(), got[3].item<float>());
  };
  judge("max_pool3d_with_indices_backward", [&](const at::Tensor& at) {
    return at::max_pool3d_with_indices_backward(gradient, input, {1, 1, 2}, 2, 0, 1, false, at);
  });
  judge("adaptive_max_pool3d_backward", [&](const at::Tensor& at) {
    return at::adaptive_max_pool3d_backward(gradient, input, at);
  });
  return wrong == 2 ? 0 : 1;
}
