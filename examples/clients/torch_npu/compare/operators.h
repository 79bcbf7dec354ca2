// The plugin's operators, called over shapes and parameters and compared with ATen.
#pragma once
#include <ATen/ATen.h>

#include <functional>
#include <vector>

namespace compare {

enum class Layout { contiguous, channels_last, transposed, gaps };

/// Calls of one type with views of one layout, made by one thread on its current stream without
/// waiting; finish() waits and compares.
class Sweep {
 public:
  Sweep(at::ScalarType type, Layout layout) : type_(type), layout_(layout) {}
  void run();

 private:
  using Tensor = at::Tensor;
  /// Values of the type, in the layout; integers spread over [-50, 50].
  Tensor input(std::vector<int64_t> sizes);
  /// Arbitrary values in the layout: an output that the caller provides.
  Tensor output(at::IntArrayRef sizes, at::ScalarType type);
  void check(const std::string& op, const std::string& convention, std::function<bool()> holds,
             const std::string& where);
  void finish();

  void max_pool(int dimensions, std::vector<int64_t> sizes, int kernel, int stride, int padding,
                bool ceil_mode);
  void adaptive_max_pool3d(std::vector<int64_t> sizes, std::vector<int64_t> out);
  void upsample(std::vector<int64_t> sizes, std::vector<int64_t> out, bool align_corners,
                c10::optional<double> scale);
  void empty_batch();
  void replication_pad2d(std::vector<int64_t> sizes, std::vector<int64_t> padding);

  at::ScalarType type_;
  Layout layout_;
  std::vector<std::function<void()>> checks_;
};

}  // namespace compare
