// Shows a defect of ATen: a scale is ignored along an axis of equal extents, but used for all other
// extents. Exit status 0 if so.
#include <ATen/ATen.h>

#include <cstdio>

int main() {
  const at::Tensor gradient = at::tensor({0., 0., 0., 0., 1.}).view({1, 1, 1, 5});
  const double scale = 1.0375;  // floor(5 * scale) is also 5
  const at::Tensor got =
      at::upsample_bilinear2d_backward(gradient, {1, 5}, {1, 1, 1, 5}, false, c10::nullopt, scale)
          .flatten();
  const double x = 4.5 / scale - 0.5;  // where the last element is in the small image
  std::printf("got %g %g, with the scale %g %g\n", got[3].item<double>(), got[4].item<double>(),
              4 - x, x - 3);
  return got[4].item<double>() == 1 ? 0 : 1;
}
