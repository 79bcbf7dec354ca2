// A program that calls as torch_npu's operator plugin does: Ascend/op-plugin,
// op_plugin/ops/opapi/*BackwardKernelNpuOpApi.cpp with op_plugin/utils/op_api_common.{h,cpp}. Two
// threads, as of a forward and of autograd, launch forwards and gradients on two streams each and
// wait only at the end; a tensor's memory goes on to others as soon as its last use is on the
// stream. Every gradient is compared with plain loops, element by element.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "aclnnop/aclnn_pad2d_backward.h"
#include "tests/clients/torch_npu/launch.h"
#include "tests/clients/torch_npu/plain.h"

namespace {

using client::Layout;
using client::Tensor;
using client::plain::Extents;
using client::plain::Values;
using Numbers = std::vector<std::int64_t>;

/// Integers that FLOAT16 holds, and so do their sums: no two of 2039 neighbours are equal.
Values images(const Tensor& like) {
  Values values;
  for (std::int64_t i = 0; i < like.count(); ++i)
    values.push_back(static_cast<double>(i * 389 % 2039));
  return values;
}
Values gradients(const Tensor& like) {
  Values values;
  for (std::int64_t i = 0; i < like.count(); ++i)
    values.push_back(static_cast<double>(i * 5 % 17 - 8));
  return values;
}

/// [N,]C and an image's extents; a depth of 1 is left out.
Numbers shape(bool batch, const Extents& extents, bool flat) {
  Numbers sizes = batch ? Numbers{2, 3} : Numbers{3};
  sizes.insert(sizes.end(), extents.begin() + (flat ? 1 : 0), extents.end());
  return sizes;
}

/// What PyTorch computes for pooled extents.
Extents pooled(const Extents& in, const Extents& kernel, const Extents& stride,
               const Extents& padding, bool ceil_mode) {
  Extents out;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t reach = in[axis] + 2 * padding[axis] - kernel[axis];
    std::int64_t extent = (reach + (ceil_mode ? stride[axis] - 1 : 0)) / stride[axis] + 1;
    if (ceil_mode && (extent - 1) * stride[axis] >= in[axis] + padding[axis]) --extent;
    out.push_back(extent);
  }
  return out;
}

/// A thread's calls on one stream, of one type, with views of one layout.
class Batch {
 public:
  Batch(aclrtStream stream, aclDataType type, Layout layout)
      : stream_(stream), type_(type), layout_(layout) {}

  void run() {
    for (const bool batch : {true, false}) {
      for (const bool ceil_mode : {false, true}) {
        max_pool3d(batch, ceil_mode);
        max_pool2d(batch, ceil_mode);
      }
      adaptive_max_pool3d(batch);
      replication_pad2d(batch);
    }
    for (const double scale : {0.0, 2.0}) upsample(false, scale);
    upsample(true, 0.0);
  }

  /// How many results are wrong; `count` grows by how many there are.
  int wrong(int& count) const {
    int wrong = 0;
    for (const Result& result : results_) {
      ++count;
      const Values values = client::read(result.tensor, stream_);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] == result.due[i]) continue;
        std::printf("%s, type %d, layout %d: element %zu is %g instead of %g\n",
                    result.name.c_str(), type_, static_cast<int>(layout_), i, values[i],
                    result.due[i]);
        ++wrong;
        break;
      }
    }
    return wrong;
  }

 private:
  struct Result {
    std::string name;
    Tensor tensor;
    Values due;
  };

  Tensor input(const Numbers& sizes, Values (*values)(const Tensor&)) {
    Tensor tensor = client::empty(type_, sizes, layout_);
    client::drain();
    client::write(tensor, values(tensor), stream_);
    return tensor;
  }
  Tensor output(const Numbers& sizes) { return client::empty(type_, sizes); }

  template <class... Arguments>
  void launch(const std::string& name, const Arguments&... arguments) {
    client::launch(stream_, name, arguments...);
  }
  /// The tensors have had their last use.
  void keep(const std::string& name, const Tensor& result, Values due,
            const std::vector<Tensor>& used) {
    results_.push_back({name, result, std::move(due)});
    for (const Tensor& tensor : used)
      client::enqueue([tensor, stream = stream_] { client::overwrite(tensor, stream); });
  }

  void max_pool3d(bool batch, bool ceil_mode) {
    const Extents in{5, 6, 7}, kernel{2, 3, 3}, stride{2, 2, 2}, padding{1, 1, 1};
    const Extents out = pooled(in, kernel, stride, padding, ceil_mode);
    const Tensor self = input(shape(batch, in, false), images),
                 maxima = output(shape(batch, out, false));
    const Tensor indices = client::empty(ACL_INT32, maxima.sizes);
    launch("aclnnMaxPool3dWithArgmax", self, kernel, stride, padding, Numbers{1, 1, 1}, ceil_mode,
           maxima, indices);
    const Tensor gradient = input(maxima.sizes, gradients), result = output(self.sizes);
    launch("aclnnMaxPool3dWithArgmaxBackward", gradient, self, indices, kernel, stride, padding,
           Numbers{1, 1, 1}, ceil_mode, result);
    keep("max_pool3d", result,
         client::plain::pool_gradient(images(self), gradients(gradient), in, out,
                                      client::plain::pooling(in, kernel, stride, padding)),
         {gradient, self, indices});
  }

  void max_pool2d(bool batch, bool ceil_mode) {
    const Extents in{1, 8, 9}, kernel{1, 3, 2}, stride{1, 2, 2}, padding{0, 1, 1};
    const Extents out = pooled(in, kernel, stride, padding, ceil_mode);
    const Numbers kernel_size{3, 2}, strides{2, 2}, paddings{1, 1}, dilation{1, 1};
    const Tensor self = input(shape(batch, in, true), images),
                 maxima = output(shape(batch, out, true));
    const Extents mask_extents{1, 3 * 2, ((out[1] * out[2] + 15) / 16 + 1) * 32};
    const Tensor mask = client::empty(ACL_INT8, shape(batch, mask_extents, true));
    launch("aclnnMaxPool2dWithMask", self, kernel_size, strides, paddings, dilation, ceil_mode,
           maxima, mask);
    const Tensor gradient = input(maxima.sizes, gradients), result = output(self.sizes);
    launch("aclnnMaxPool2dWithMaskBackward", gradient, self, mask, kernel_size, strides, paddings,
           dilation, ceil_mode, result);
    keep("max_pool2d", result,
         client::plain::pool_gradient(images(self), gradients(gradient), in, out,
                                      client::plain::pooling(in, kernel, stride, padding)),
         {gradient, self, mask});
  }

  void adaptive_max_pool3d(bool batch) {
    const Extents in{5, 7, 6}, out{2, 3, 4};
    const Tensor self = input(shape(batch, in, false), images),
                 maxima = output(shape(batch, out, false));
    const Tensor indices = client::empty(ACL_INT32, maxima.sizes);
    launch("aclnnAdaptiveMaxPool3d", self, out, maxima, indices);
    const Tensor gradient = input(maxima.sizes, gradients), result = output(self.sizes);
    launch("aclnnAdaptiveMaxPool3dBackward", gradient, self, indices, result);
    keep("adaptive_max_pool3d", result,
         client::plain::pool_gradient(images(self), gradients(gradient), in, out,
                                      client::plain::adaptive(in, out)),
         {gradient, self, indices});
  }

  void replication_pad2d(bool batch) {
    const Numbers padding{2, 1, 3, 2};  // left, right, top, bottom
    const Tensor self = input(shape(batch, {1, 4, 5}, true), images);
    const Tensor gradient = input(shape(batch, {1, 9, 8}, true), gradients);
    const Tensor result = output(self.sizes);
    launch("aclnnReplicationPad2dBackward", gradient, self, padding, result);
    keep("replication_pad2d", result,
         client::plain::pad_gradient(gradients(gradient), 4, 5, padding), {gradient, self});
  }

  void upsample(bool align_corners, double scale) {
    const Numbers size = align_corners ? Numbers{9, 7} : Numbers{10, 8}, input_size{2, 3, 5, 4};
    const Tensor gradient = input({2, 3, size[0], size[1]}, gradients), result = output(input_size);
    launch("aclnnUpsampleBilinear2dBackwardV2", gradient, size, input_size, align_corners, scale,
           scale, result);
    keep("upsample_bilinear2d", result,
         client::plain::upsample_gradient(gradients(gradient), 5, 4, align_corners), {gradient});
  }

  aclrtStream stream_;
  aclDataType type_;
  Layout layout_;
  std::vector<Result> results_;
};

aclrtStream create_stream() {
  aclrtStream stream = nullptr;
  MUST(ACL(aclrtCreateStreamWithConfig)(&stream, 0, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));
  return stream;
}

std::vector<Batch> run_thread(const std::vector<aclrtStream>& streams) {
  MUST(ACL(aclrtSetDevice)(0));
  std::vector<Batch> batches;
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const Layout layout : {Layout::contiguous, Layout::transposed, Layout::gaps})
      batches.emplace_back(streams[batches.size() % streams.size()], type, layout).run();
  }
  return batches;
}

/// EXEC_NPU_CMD_EXT runs phase 2 whatever phase 1 answered: an error and a message, and nothing
/// worse.
bool survives_a_failed_phase1(aclrtStream stream) {
  const Tensor gradient = client::empty(ACL_FLOAT, {1, 2, 4, 4}),
               self = client::empty(ACL_FLOAT, {1, 2, 3, 3});
  aclTensor *g = client::convert(gradient), *s = client::convert(self);
  aclIntArray* padding = client::convert(Numbers{1, 1, 1, 1});
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const int first =
      ACL(aclnnReplicationPad2dBackwardGetWorkspaceSize)(g, s, padding, s, &size, &executor);
  const int second = ACL(aclnnReplicationPad2dBackward)(nullptr, size, executor, stream);
  const char* message = ACL(aclGetRecentErrMsg)();
  client::release(g);
  client::release(s);
  client::release(padding);
  if (first != 0 && second != 0 && message != nullptr && *message != '\0') return true;
  std::printf("a call with a wrong shape: phase 1 answers %d, phase 2 %d\n", first, second);
  return false;
}

/// CANN has them or has them not; a program must do without.
bool optional_functions_are_absent() {
  bool absent = true;
  for (const char* name : {"InitHugeMemThreadLocal", "UnInitHugeMemThreadLocal", "ReleaseHugeMem",
                           "InitPTACacheThreadLocal", "UnInitPTACacheThreadLocal", "CanUsePTACache",
                           "PTAGetExecCache", "PTAFindExecCache", "SetPTAHashKey"}) {
    if (client::find(name) == nullptr) continue;
    std::printf("%s is there, but this program does not know how to use it\n", name);
    absent = false;
  }
  return absent;
}

}  // namespace

int main() {
  bool good = optional_functions_are_absent();
  MUST(ACL(aclInit)(nullptr));
  MUST(ACL(aclrtSetDevice)(0));
  const std::vector<aclrtStream> streams{create_stream(), create_stream(), create_stream(),
                                         create_stream()};
  std::vector<Batch> forward, autograd;
  std::thread thread([&] { autograd = run_thread({streams[2], streams[3]}); });
  forward = run_thread({streams[0], streams[1]});
  thread.join();
  client::drain();
  for (const aclrtStream stream : streams) MUST(ACL(aclrtSynchronizeStreamWithTimeout)(stream, -1));

  int count = 0, wrong = 0;
  for (const std::vector<Batch>* batches : {&forward, &autograd}) {
    for (const Batch& batch : *batches) wrong += batch.wrong(count);
  }
  good = survives_a_failed_phase1(streams[0]) && good && wrong == 0;
  for (const aclrtStream stream : streams) MUST(ACL(aclrtDestroyStream)(stream));
  MUST(ACL(aclrtResetDevice)(0));
  MUST(ACL(aclFinalize)());
  std::printf("%d gradients, %d wrong\n", count, wrong);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
