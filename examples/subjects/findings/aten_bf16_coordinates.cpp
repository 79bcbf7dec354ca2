// Shows a defect of ATen: the gradient of bilinear upsampling computes coordinates of BF16 data in
// BF16, whose 8 bits cannot distinguish positions beyond 256. Weights are wrong, and memory beyond
// the result is written. Exit status 0 if both happen.
#include <ATen/ATen.h>

#include <cstdio>
#include <vector>

at::Tensor gradient_of(at::ScalarType type, int large, int small) {
  return at::upsample_bilinear2d_backward(at::ones({1, 1, 1, large}, type), {1, large},
                                          {1, 1, 1, small}, false)
      .flatten()
      .to(at::kDouble);
}

int main() {
  const double sum = gradient_of(at::kBFloat16, 7, 34)
                         .sub(gradient_of(at::kDouble, 7, 34))
                         .abs()
                         .max()
                         .item<double>();
  std::printf("7 to 34 elements: a value is off by %g\n", sum);

  int beyond = 0, small = 257;
  for (; small < 2000 && beyond == 0; ++small) {
    const int large = small * 3 / 4;
    std::vector<at::BFloat16> memory(static_cast<size_t>(small) + 4096, at::BFloat16(0));
    at::Tensor result = at::from_blob(memory.data(), {1, 1, 1, small}, at::kBFloat16);
    at::upsample_bilinear2d_backward_out(result, at::ones({1, 1, 1, large}, at::kBFloat16),
                                         {1, large}, {1, 1, 1, small}, false);
    for (size_t i = static_cast<size_t>(small); i < memory.size(); ++i)
      beyond += memory[i] != 0 ? 1 : 0;
  }
  std::printf("%d to %d elements: %d elements beyond the result were written\n",
              (small - 1) * 3 / 4, small - 1, beyond);
  return sum > 0.05 && beyond > 0 ? 0 : 1;
}
