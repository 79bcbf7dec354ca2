// Shows a defect of oneDNN: the gradient of linear resampling finds the outputs that use an input
// by the inverse map in float, which does not match the forward's map, so terms are added to a
// wrong neighbour. Exit status 0 if so.
#include <dnnl.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  using dnnl::memory;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const int in = 1869, out = 5457;
  const auto describe = [](int extent) {
    return memory::desc({1, 1, 1, extent}, memory::data_type::f32, memory::format_tag::nchw);
  };
  std::vector<float> gradient(out), result(in);
  for (int i = 0; i < out; ++i) gradient[i] = static_cast<float>(i % 7 - 3);
  const auto linear = dnnl::algorithm::resampling_linear;
  const dnnl::resampling_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, linear, describe(in), describe(out)}, engine);
  dnnl::resampling_backward({{linear, describe(in), describe(out)}, engine, forward})
      .execute(stream, {{DNNL_ARG_DIFF_DST, memory(describe(out), engine, gradient.data())},
                        {DNNL_ARG_DIFF_SRC, memory(describe(in), engine, result.data())}});
  stream.wait();
  std::vector<double> exact(in);
  for (int i = 0; i < out; ++i) {
    const double x = std::fmin(std::fmax(0, (i + 0.5) * in / out - 0.5), in - 1);
    const int low = static_cast<int>(x);
    exact[low] += (1 - (x - low)) * gradient[i];
    if (low + 1 < in) exact[low + 1] += (x - low) * gradient[i];
  }
  int wrong = 0;
  for (int i = 0; i < in; ++i) {
    if (std::fabs(result[i] - exact[i]) < 0.1) continue;
    std::printf("element %d is %g, exact %g\n", i, result[i], exact[i]);
    ++wrong;
  }
  return wrong > 0 ? 0 : 1;
}
