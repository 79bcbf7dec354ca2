// Measures the time of each gradient through the plugin and through ATen on the same tensors:
// FLOAT, contiguous, one thread each, with the call and its synchronisation. Prints one
// tab-separated line for each: operator, tensor, ATen, plugin, their ratio; microseconds, medians
// of rounds in which the two take turns.
#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "device.h"
#include "op_plugin/OpApiInterface.h"

namespace compare {
namespace {

using at::Tensor;

constexpr int kRounds = 41;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + kRounds / 2, values.end());
  return values[kRounds / 2];
}

double microseconds(const std::function<Tensor()>& call, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - start;
  return passed.count() / calls;
}

void row(const char* name, const Tensor& tensor, const std::function<Tensor()>& aten,
         const std::function<Tensor()>& launch) {
  const auto plugin = [&] {
    const Tensor result = launch();
    c10_npu::getCurrentNPUStream().synchronize();
    return result;
  };
  const int calls = tensor.numel() < 10000 ? 50 : 3;
  std::vector<double> theirs, ours;
  for (int round = 0; round < kRounds; ++round) {
    theirs.push_back(microseconds(aten, calls));
    ours.push_back(microseconds(plugin, calls));
  }
  std::string extents;
  for (const int64_t extent : tensor.sizes())
    extents += (extents.empty() ? "" : " x ") + std::to_string(extent);
  std::printf("%s\t%s\t%.1f\t%.1f\t%.2f\n", name, extents.c_str(), median(theirs), median(ours),
              median(ours) / median(theirs));
}

void pool3d(std::vector<int64_t> sizes) {
  const std::vector<int64_t> two{2, 2, 2}, none{0, 0, 0}, one{1, 1, 1};
  const Tensor self = at::rand(sizes);
  const auto [out, wide] = at::max_pool3d_with_indices(self, two, two, none, one, false);
  const Tensor gradient = at::rand(out.sizes()), indices = wide, narrow = wide.to(at::kInt);
  row(
      "max_pool3d_with_indices_backward", self,
      [&] {
        return at::max_pool3d_with_indices_backward(gradient, self, two, two, none, one, false,
                                                    indices);
      },
      [&] {
        return op_api::max_pool3d_with_indices_backward(gradient, self, two, two, none, one, false,
                                                        narrow);
      });
}

void pool2d(std::vector<int64_t> sizes) {
  const std::vector<int64_t> three{3, 3}, two{2, 2}, one{1, 1};
  const Tensor self = at::rand(sizes);
  const auto [out, indices] = at::max_pool2d_with_indices(self, three, two, one, one, false);
  const Tensor mask =
      std::get<1>(op_api::max_pool2d_with_indices(self, three, two, one, one, false));
  const Tensor gradient = at::rand(out.sizes()), places = indices;
  row(
      "max_pool2d_with_indices_backward", self,
      [&] {
        return at::max_pool2d_with_indices_backward(gradient, self, three, two, one, one, false,
                                                    places);
      },
      [&] {
        return op_api::max_pool2d_with_indices_backward(gradient, self, three, two, one, one, false,
                                                        mask);
      });
}

void upsample(std::vector<int64_t> sizes) {
  const std::vector<int64_t> out{2 * sizes[2], 2 * sizes[3]};
  const Tensor gradient = at::rand({sizes[0], sizes[1], out[0], out[1]});
  const auto none = c10::optional<double>();
  row(
      "upsample_bilinear2d_backward", gradient,
      [&] { return at::upsample_bilinear2d_backward(gradient, out, sizes, false, none, none); },
      [&] {
        return op_api::upsample_bilinear2d_backward(gradient, out, sizes, false, none, none);
      });
}

void pad2d(std::vector<int64_t> sizes) {
  const std::vector<int64_t> padding{2, 1, 3, 2};
  const Tensor self = at::rand(sizes),
               gradient = at::rand(at::replication_pad2d(self, padding).sizes());
  row(
      "replication_pad2d_backward", self,
      [&] { return at::replication_pad2d_backward(gradient, self, padding); },
      [&] { return op_api::replication_pad2d_backward(gradient, self, padding); });
}

void adaptive3d(std::vector<int64_t> sizes) {
  const Tensor self = at::rand(sizes);
  const auto [out, wide] = at::adaptive_max_pool3d(self, {4, 4, 4});
  const Tensor gradient = at::rand(out.sizes()), indices = wide, narrow = wide.to(at::kInt);
  row(
      "adaptive_max_pool3d_backward", self,
      [&] { return at::adaptive_max_pool3d_backward(gradient, self, indices); },
      [&] { return op_api::adaptive_max_pool3d_backward(gradient, self, narrow); });
}

}  // namespace

void print_times() {
  at::set_num_threads(1);
  c10_npu::setCurrentNPUStream(c10_npu::newNPUStream());
  for (const bool large : {false, true}) {
    const int64_t n = large ? 4 : 1, c = large ? 32 : 2;
    pool3d(large ? std::vector<int64_t>{n, c, 16, 32, 32} : std::vector<int64_t>{n, c, 4, 6, 8});
    pool2d(large ? std::vector<int64_t>{n, c, 112, 112} : std::vector<int64_t>{n, c, 8, 8});
    upsample(large ? std::vector<int64_t>{n, c, 64, 64} : std::vector<int64_t>{n, c, 4, 4});
    pad2d(large ? std::vector<int64_t>{n, c, 112, 112} : std::vector<int64_t>{n, c, 8, 8});
    adaptive3d(large ? std::vector<int64_t>{n, c, 16, 32, 32}
                     : std::vector<int64_t>{n, c, 8, 8, 8});
  }
}

}  // namespace compare
