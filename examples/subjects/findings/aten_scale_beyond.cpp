// Shows a defect of ATen: with a scale that does not fit the sizes, the gradient of bilinear
// upsampling writes beyond its result. Exit status 0 if memory outside the result changes.
#include <ATen/ATen.h>

#include <cstdio>

int main() {
  float memory[256] = {};
  at::Tensor result = at::from_blob(memory + 64, {1, 1, 2, 2});
  at::upsample_bilinear2d_backward_out(result, at::ones({1, 1, 4, 2}), {4, 2}, {1, 1, 2, 2}, false,
                                       0.25, c10::nullopt);
  int changed = 0;
  for (int i = 0; i < 256; ++i) changed += (i < 64 || i >= 68) && memory[i] != 0 ? 1 : 0;
  std::printf("%d floats outside of the result were written\n", changed);
  return changed > 0 ? 0 : 1;
}
