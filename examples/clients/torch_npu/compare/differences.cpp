// Prints the differences that a user of PyTorch sees: each input goes to ATen and to the plugin.
// Output lines, tab-separated: input, ATen's result, gradproof's result.
#include <cstdio>
#include <functional>
#include <limits>
#include <sstream>
#include <string>

#include "device.h"
#include "op_plugin/OpApiInterface.h"

namespace compare {
namespace {

using at::Tensor;

/// The values, or the message of the refusal: the library's message is the last line before the
/// trace.
std::string outcome(const std::function<Tensor()>& call) {
  try {
    const Tensor result = call();
    c10_npu::getCurrentNPUStream().synchronize();
    std::ostringstream text;
    if (result.numel() == 0) return "an empty tensor";
    for (int64_t i = 0; i < result.numel(); ++i)
      text << (i != 0 ? " " : "") << result.flatten()[i].item<double>();
    return text.str();
  } catch (const c10::Error& error) {
    std::string text = error.what_without_backtrace();
    const std::size_t code = text.find("error code is ");
    if (code != std::string::npos) text = "refused: " + text.substr(code + 14);
    for (char& letter : text) letter = letter == '\n' ? ' ' : letter;
    return text;
  }
}

void row(const std::string& input, const std::function<Tensor()>& aten,
         const std::function<Tensor()>& plugin) {
  std::printf("%s\t%s\t%s\n", input.c_str(), outcome(aten).c_str(), outcome(plugin).c_str());
}

}  // namespace

void print_differences() {
  c10_npu::setCurrentNPUStream(c10_npu::newNPUStream());
  const std::vector<int64_t> two{2, 2, 2}, none{0, 0, 0}, one{1, 1, 1};

  const Tensor gradient = at::arange(1, 4, at::kFloat).view({1, 1, 1, 3});
  row(
      "upsample_bilinear2d_backward, scale 1.3 with equal extents",
      [&] {
        return at::upsample_bilinear2d_backward(gradient, {1, 3}, {1, 1, 1, 3}, false, 1.3, 1.3);
      },
      [&] {
        return op_api::upsample_bilinear2d_backward(gradient, {1, 3}, {1, 1, 1, 3}, false, 1.3,
                                                    1.3);
      });

  Tensor image = at::zeros({1, 1, 2, 2, 2}, at::kFloat);
  image.flatten()[2] = image.flatten()[5] = std::numeric_limits<float>::quiet_NaN();
  row(
      "max_pool3d_with_indices, NaN at 2 and 5 of the window: the index",
      [&] { return std::get<1>(at::max_pool3d_with_indices(image, two, two, none, one, false)); },
      [&] {
        return std::get<1>(op_api::max_pool3d_with_indices(image, two, two, none, one, false));
      });
  row(
      "adaptive_max_pool3d, the same",
      [&] { return std::get<1>(at::adaptive_max_pool3d(image, one)); },
      [&] { return std::get<1>(op_api::adaptive_max_pool3d(image, one)); });

  const Tensor nobody = at::empty({0, 1, 2, 2, 2}, at::kFloat),
               no_gradient = at::empty({0, 1, 1, 1, 1}, at::kFloat);
  row(
      "max_pool3d_with_indices, batch 0",
      [&] { return std::get<0>(at::max_pool3d_with_indices(nobody, two, two, none, one, false)); },
      [&] {
        return std::get<0>(op_api::max_pool3d_with_indices(nobody, two, two, none, one, false));
      });
  row(
      "max_pool3d_with_indices_backward, batch 0",
      [&] {
        return at::max_pool3d_with_indices_backward(no_gradient, nobody, two, two, none, one, false,
                                                    at::empty({0, 1, 1, 1, 1}, at::kLong));
      },
      [&] {
        return op_api::max_pool3d_with_indices_backward(
            no_gradient, nobody, two, two, none, one, false, at::empty({0, 1, 1, 1, 1}, at::kInt));
      });

  const Tensor single = at::ones({1, 1, 1, 1, 1}, at::kFloat),
               indices = at::full({1, 1, 1, 1, 1}, 3, at::kLong);
  const Tensor self = at::zeros({1, 1, 2, 2, 2}, at::kFloat);
  row(
      "max_pool3d_with_indices_backward, indices of INT64",
      [&] {
        return at::max_pool3d_with_indices_backward(single, self, two, two, none, one, false,
                                                    indices);
      },
      [&] {
        return op_api::max_pool3d_with_indices_backward(single, self, two, two, none, one, false,
                                                        indices);
      });
  row(
      "max_pool3d_with_indices_backward.grad_input (the plugin leaves indices out)",
      [&] {
        Tensor out = at::empty_like(self);
        return at::max_pool3d_with_indices_backward_out(out, single, self, two, two, none, one,
                                                        false, indices);
      },
      [&] {
        Tensor out = at::empty_like(self);
        return op_api::max_pool3d_with_indices_backward_out(single, self, two, two, none, one,
                                                            false, indices.to(at::kInt), out);
      });
}

}  // namespace compare
