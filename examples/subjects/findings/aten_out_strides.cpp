// Shows a defect of ATen: three gradients write into a strided `out` tensor as if it were
// contiguous. Exit status 0 if they do.
#include <ATen/ATen.h>

#include <cstdio>

int main() {
  at::Tensor wide = at::zeros({1, 2, 1, 1, 2});
  at::Tensor result = wide.slice(4, 0, 1);  // every second element
  const at::Tensor gradient = at::ones({1, 2, 1, 1, 1}),
                   indices = at::zeros({1, 2, 1, 1, 1}, at::kLong);
  int wrong = 0;
  const auto judge = [&](const char* name) {
    wrong += result.equal(gradient) ? 0 : 1;
    std::printf("%s: %g %g, expected 1 1\n", name, wide[0][0][0][0][0].item<float>(),
                wide[0][1][0][0][0].item<float>());
    wide.zero_();
  };
  at::max_pool3d_with_indices_backward_out(result, gradient, gradient, 1, 1, 0, 1, false, indices);
  judge("max_pool3d_with_indices_backward_out");
  at::adaptive_max_pool3d_backward_out(result, gradient, gradient, indices);
  judge("adaptive_max_pool3d_backward_out");
  at::Tensor plane = result.squeeze(2);
  at::replication_pad2d_backward_out(plane, gradient.squeeze(2), gradient.squeeze(2), {0, 0, 0, 0});
  judge("replication_pad2d_backward_out");
  return wrong == 3 ? 0 : 1;
}
