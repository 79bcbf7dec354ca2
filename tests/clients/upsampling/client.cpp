// A program that calls bilinear upsampling as two more public clients do, in the manner that its
// argument names:
//   paddle     PaddlePaddle/PaddleCustomDevice, backends/npu/kernels/interpolate_kernel.cc
//              (BilinearFwdAclnn, BilinearBwdAclnn), backends/npu/kernels/funcs/npu_op_runner.h
//              (EXEC_NPU_CMD): functions by dlsym in libcust_opapi.so, then libopapi.so; the view's
//              shape as the storage's; scales of 1 whatever the extents; phase 1's status unread;
//              the workspace back in its pool before phase 2 is called.
//   megengine  MegEngine/MegEngine, dnn/src/atlas/resize/opr_impl.cpp (ResizeBackwardImpl),
//              dnn/src/atlas/atlas_wrapper.h (AclTensor): NCHW or NHWC, storage of one dimension
//              that ends with the last element, scales of 0, every status read, the workspace back
//              in its pool after phase 2.
// Both call the first version of the gradient, and destroy descriptors before any synchronisation.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "aclnnop/aclnn_upsample_bilinear_2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward.h"
#include "tests/clients/torch_npu/functions.h"
#include "tests/clients/torch_npu/plain.h"
#include "tests/clients/upsampling/pool.h"

namespace {

using client::Pool;
using client::plain::Values;
using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kSamples = 2, kChannels = 3, kHeight = 5, kWidth = 4;

/// A contiguous FLOAT tensor on the device.
struct Tensor {
  Numbers sizes;
  float* data = nullptr;

  Tensor(Pool& pool, Numbers extents) : sizes(std::move(extents)) {
    data = static_cast<float*>(pool.take(bytes()));
  }
  std::int64_t count() const {
    std::int64_t count = 1;
    for (const std::int64_t size : sizes) count *= size;
    return count;
  }
  std::size_t bytes() const { return static_cast<std::size_t>(count()) * sizeof(float); }
  Numbers strides() const {
    Numbers strides(sizes.size(), 1);
    for (std::size_t axis = sizes.size() - 1; axis-- > 0;)
      strides[axis] = strides[axis + 1] * sizes[axis + 1];
    return strides;
  }
};

Values values_of(std::int64_t count) {
  Values values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i * 5 % 17 - 8));
  return values;
}

/// The place in memory of element i of [N, C, H, W], channels last or not.
std::int64_t place(std::int64_t i, std::int64_t height, std::int64_t width, bool channels_last) {
  if (!channels_last) return i;
  const std::int64_t plane = height * width, sample = i / (kChannels * plane),
                     channel = i / plane % kChannels;
  return (sample * plane + i % plane) * kChannels + channel;
}

class Program {
 public:
  explicit Program(bool paddle) : paddle_(paddle) { MUST(ACL(aclrtCreateStream)(&stream_)); }

  bool run() {
    // Several times over: the pool gives the memory of earlier calls to later ones.
    for (int round = 0; round < 3; ++round) {
      for (const bool align_corners : {false, true}) {
        if (align_corners && !paddle_) continue;
        gradient(align_corners, false);
        if (paddle_) forward(align_corners);
        if (!paddle_) gradient(false, true);
      }
    }
    MUST(ACL(aclrtSynchronizeStream)(stream_));
    bool good = true;
    for (const Result& result : results_) good = holds(result) && good;
    std::printf("%zu results\n", results_.size());
    MUST(ACL(aclrtDestroyStream)(stream_));
    return good;
  }

 private:
  struct Result {
    std::string name;
    Tensor tensor;
    Values due;
    bool channels_last;
  };

  Tensor filled(Numbers sizes, bool channels_last) {
    Tensor tensor(tensors_, std::move(sizes));
    const std::int64_t height = tensor.sizes[channels_last ? 1 : 2],
                       width = tensor.sizes[channels_last ? 2 : 3];
    std::vector<float> host(static_cast<std::size_t>(tensor.count()));
    const Values values = values_of(tensor.count());
    for (std::int64_t i = 0; i < tensor.count(); ++i)
      host[place(i, height, width, channels_last)] = static_cast<float>(values[i]);
    MUST(ACL(aclrtMemcpy)(tensor.data, tensor.bytes(), host.data(), tensor.bytes(),
                          ACL_MEMCPY_HOST_TO_DEVICE));
    return tensor;
  }

  aclTensor* descriptor(const Tensor& tensor, aclFormat format) const {
    const Numbers strides = tensor.strides(), flat{tensor.count()};
    const Numbers& storage = paddle_ ? tensor.sizes : flat;
    aclTensor* const made =
        ACL(aclCreateTensor)(tensor.sizes.data(), tensor.sizes.size(), ACL_FLOAT, strides.data(), 0,
                             format, storage.data(), storage.size(), tensor.data);
    if (made == nullptr) std::_Exit(1);
    return made;
  }

  template <class Phase1, class Phase2>
  void launch(const Phase1& phase1, const Phase2& phase2) {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const int status = phase1(&size, &executor);
    if (!paddle_) client::must_succeed(status, "phase 1");
    void* const workspace = size != 0 ? workspaces_.take(size) : nullptr;
    if (paddle_) workspaces_.give(workspace, size);
    client::must_succeed(phase2(workspace, size, executor, stream_), "phase 2");
    if (!paddle_) workspaces_.give(workspace, size);
  }

  void gradient(bool align_corners, bool channels_last) {
    const std::int64_t height = 2 * kHeight - (align_corners ? 1 : 0),
                       width = 2 * kWidth - (align_corners ? 1 : 0);
    const auto sizes = [&](std::int64_t h, std::int64_t w) {
      return channels_last ? Numbers{kSamples, h, w, kChannels}
                           : Numbers{kSamples, kChannels, h, w};
    };
    const Tensor given = filled(sizes(height, width), channels_last),
                 result(tensors_, sizes(kHeight, kWidth));
    const Numbers output_size{height, width};
    const double scale = paddle_ ? 1 : 0;
    const aclFormat format = channels_last ? ACL_FORMAT_NHWC : ACL_FORMAT_NCHW;
    aclTensor *in = descriptor(given, format), *out = descriptor(result, format);
    aclIntArray *large = ACL(aclCreateIntArray)(output_size.data(), output_size.size()),
                *small = ACL(aclCreateIntArray)(result.sizes.data(), result.sizes.size());
    launch(
        [&](std::uint64_t* size, aclOpExecutor** executor) {
          return ACL(aclnnUpsampleBilinear2dBackwardGetWorkspaceSize)(
              in, large, small, align_corners, scale, scale, out, size, executor);
        },
        ACL(aclnnUpsampleBilinear2dBackward));
    MUST(ACL(aclDestroyIntArray)(small));
    MUST(ACL(aclDestroyIntArray)(large));
    MUST(ACL(aclDestroyTensor)(out));
    MUST(ACL(aclDestroyTensor)(in));
    results_.push_back(
        {"gradient", result,
         client::plain::upsample_gradient(values_of(given.count()), kHeight, kWidth, align_corners),
         channels_last});
  }

  /// Scales of 1 beside other extents count in conformance `documented`, without corners aligned:
  /// not what Paddle means. `cann` ignores them, since they do not fit.
  void forward(bool align_corners) {
    const char* const conformance = std::getenv("GRADPROOF_CONFORMANCE");
    if (!align_corners && (conformance == nullptr || std::string(conformance) != "cann")) return;
    const std::int64_t height = 2 * kHeight - (align_corners ? 1 : 0),
                       width = 2 * kWidth - (align_corners ? 1 : 0);
    const Tensor given = filled({kSamples, kChannels, kHeight, kWidth}, false),
                 result(tensors_, {kSamples, kChannels, height, width});
    const Numbers output_size{height, width};
    aclTensor *in = descriptor(given, ACL_FORMAT_NCHW), *out = descriptor(result, ACL_FORMAT_NCHW);
    aclIntArray* size_of_out = ACL(aclCreateIntArray)(output_size.data(), output_size.size());
    launch(
        [&](std::uint64_t* size, aclOpExecutor** executor) {
          return ACL(aclnnUpsampleBilinear2dGetWorkspaceSize)(in, size_of_out, align_corners, 1, 1,
                                                              out, size, executor);
        },
        ACL(aclnnUpsampleBilinear2d));
    MUST(ACL(aclDestroyTensor)(in));
    MUST(ACL(aclDestroyIntArray)(size_of_out));
    MUST(ACL(aclDestroyTensor)(out));
    results_.push_back(
        {"forward", result,
         client::plain::upsample(values_of(given.count()), kHeight, kWidth, align_corners), false});
  }

  static bool holds(const Result& result) {
    const Tensor& tensor = result.tensor;
    std::vector<float> host(static_cast<std::size_t>(tensor.count()));
    MUST(ACL(aclrtMemcpy)(host.data(), tensor.bytes(), tensor.data, tensor.bytes(),
                          ACL_MEMCPY_DEVICE_TO_HOST));
    const std::int64_t height = tensor.sizes[result.channels_last ? 1 : 2],
                       width = tensor.sizes[result.channels_last ? 2 : 3];
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      const float got = host[place(i, height, width, result.channels_last)];
      if (got == static_cast<float>(result.due[i])) continue;
      std::printf("%s: element %lld is %g instead of %g\n", result.name.c_str(),
                  static_cast<long long>(i), static_cast<double>(got), result.due[i]);
      return false;
    }
    return true;
  }

  bool paddle_;
  aclrtStream stream_ = nullptr;
  Pool tensors_, workspaces_;
  std::vector<Result> results_;
};

}  // namespace

int main(int, char** arguments) {
  const bool paddle = arguments[1] == std::string("paddle");
  if (paddle && dlopen("libcust_opapi.so", RTLD_LAZY) != nullptr) return EXIT_FAILURE;  // none here
  MUST(ACL(aclInit)(nullptr));
  MUST(ACL(aclrtSetDevice)(0));
  const bool good = Program(paddle).run();
  MUST(ACL(aclrtResetDevice)(0));
  MUST(ACL(aclFinalize)());
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
