// Registers gradproof's kernels as PyTorch's CPU implementation of five gradients. What gradproof
// refuses, a type or a geometry, goes to ATen's kernel, and is counted by the rule that refused it.
#include <ATen/ops/adaptive_max_pool3d_backward_cpu_dispatch.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/max_pool2d_with_indices_backward_cpu_dispatch.h>
#include <ATen/ops/max_pool3d_with_indices_backward_cpu_dispatch.h>
#include <ATen/ops/replication_pad2d_backward_cpu_dispatch.h>
#include <ATen/ops/upsample_bilinear2d_backward_cpu_dispatch.h>
#include <gradproof/config.h>
#include <torch/library.h>

#include <functional>
#include <mutex>

#include "tensors.h"

namespace {

using at::IntArrayRef;
using at::Tensor;
using Scale = c10::optional<double>;
using Counts = c10::Dict<std::string, std::int64_t>;

std::atomic<bool> used = true;
std::mutex counting;
Counts counted;  // by operator, and by operator and rule

void count(const std::string& what) {
  const std::lock_guard lock(counting);
  counted.insert_or_assign(what, counted.contains(what) ? counted.at(what) + 1 : 1);
}

/// Runs a call that phase 1 accepted, after `prepare`. False: ATen has to compute it.
template <class Planned>
bool run(const std::string& name, Planned planned, const std::function<void()>& prepare = nullptr) {
  if (!planned) {  // "function: rule: argument …"
    const std::string& message = planned.error().message();
    const std::size_t rule = message.find(": ") + 2;
    count(name + ": " + message.substr(rule, message.find(':', rule) - rule));
    return false;
  }
  if (prepare) prepare();
  thread_local const gp::Stream stream = gp::Stream::create().value();
  planned->run(stream).value();
  count(name);
  return true;
}

/// Whether gradproof is tried; it gets as many threads as PyTorch has.
bool wanted() {
  static std::atomic<int> threads = 0;
  const int now = at::get_num_threads();
  if (threads.exchange(now) != now) gradproof_set_option("threads", std::to_string(now).c_str());
  return used;
}

/// The two forms of an operator of the arguments A. `ours` fills a tensor, or returns false.
template <class... A>
struct Forms {
  template <Tensor (*empty)(A...), bool (*ours)(A..., const Tensor&), Tensor (*aten)(A...)>
  static Tensor functional(A... arguments) {
    if (!wanted()) return aten(arguments...);
    const Tensor result = empty(arguments...);
    return ours(arguments..., result) ? result : aten(arguments...);
  }
  template <bool (*ours)(A..., const Tensor&), Tensor& (*aten)(A..., Tensor&)>
  static Tensor& out(A... arguments, Tensor& result) {
    if (!wanted() || !ours(arguments..., result)) aten(arguments..., result);
    return result;
  }
};
using MaxPool = Forms<const Tensor&, const Tensor&, IntArrayRef, IntArrayRef, IntArrayRef,
                      IntArrayRef, bool, const Tensor&>;
using AdaptiveMaxPool = Forms<const Tensor&, const Tensor&, const Tensor&>;
using Pad = Forms<const Tensor&, const Tensor&, IntArrayRef>;
using Upsample = Forms<const Tensor&, IntArrayRef, IntArrayRef, bool, Scale, Scale>;

// New tensors have the strides that ATen gives them. Versions of PyTorch differ: whether an
// operator keeps channels last is asked once, of a small call.
Tensor channels_last(IntArrayRef sizes, at::ScalarType type = at::kFloat) {
  const bool volume = sizes.size() == 5;
  const auto format = volume ? at::MemoryFormat::ChannelsLast3d : at::MemoryFormat::ChannelsLast;
  return at::empty(sizes, at::TensorOptions(type).memory_format(format)).zero_();
}
template <class Call>
bool kept(const Call& call) {
  try {
    return call().suggest_memory_format() != at::MemoryFormat::Contiguous;
  } catch (const c10::Error&) {
    return false;
  }
}
bool max_pool2d_keeps() { return true; }  // in all versions
bool max_pool3d_keeps() {
  static const bool answer = kept([] {
    return at::cpu::max_pool3d_with_indices_backward(
        channels_last({1, 2, 1, 1, 1}), channels_last({1, 2, 2, 2, 2}), {2, 2, 2}, {2, 2, 2},
        {0, 0, 0}, {1, 1, 1}, false, channels_last({1, 2, 1, 1, 1}, at::kLong));
  });
  return answer;
}
bool adaptive_max_pool3d_keeps() {
  static const bool answer = kept([] {
    return at::cpu::adaptive_max_pool3d_backward(channels_last({1, 2, 1, 1, 1}),
                                                 channels_last({1, 2, 2, 2, 2}),
                                                 channels_last({1, 2, 1, 1, 1}, at::kLong));
  });
  return answer;
}
bool pad_keeps() {
  static const bool answer = kept([] {
    return at::cpu::replication_pad2d_backward(channels_last({1, 2, 2, 3}),
                                               channels_last({1, 2, 2, 2}), {1, 0, 0, 0});
  });
  return answer;
}

template <bool (*keeps)(), class... Rest>
Tensor empty(const Tensor&, const Tensor& self, Rest...) {
  return at::empty(self.sizes(),
                   self.options().memory_format(keeps() ? self.suggest_memory_format()
                                                        : at::MemoryFormat::Contiguous));
}
Tensor empty_image(const Tensor& g, IntArrayRef, IntArrayRef input_size, bool, Scale, Scale) {
  return at::empty(input_size, g.options().memory_format(g.suggest_memory_format()));
}

/// Runs the call that `plan` makes with the indices as INT32.
template <class Plan>
bool run_pool(const char* name, bool flat, const Tensor& indices, Plan plan) {
  if (indices.scalar_type() != at::kLong) {
    count(std::string(name) + ": dtype");
    return false;
  }
  const Tensor dense = indices.is_non_overlapping_and_dense() ? indices : indices.contiguous();
  const Tensor positions = at::empty_like(dense, dense.options().dtype(at::kInt));
  return run(name, plan(view(positions, flat)), [&] { narrow(dense, positions); });
}

template <bool flat>
bool max_pool(const Tensor& grad_output, const Tensor& self, IntArrayRef kernel, IntArrayRef stride,
              IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, const Tensor& indices,
              const Tensor& result) {
  const char* const name =
      flat ? "max_pool2d_with_indices_backward" : "max_pool3d_with_indices_backward";
  return run_pool(name, flat, indices, [&](const gp::Tensor& positions) {
    return gp::max_pool3d_with_argmax_backward(
        view(grad_output, flat), view(self, flat), positions, by_axis(kernel, flat, 1),
        by_axis(stride, flat, 1), by_axis(padding, flat, 0), by_axis(dilation, flat, 1), ceil_mode,
        view(result, flat));
  });
}

bool adaptive_max_pool3d(const Tensor& grad_output, const Tensor& self, const Tensor& indices,
                         const Tensor& result) {
  return run_pool("adaptive_max_pool3d_backward", false, indices, [&](const gp::Tensor& positions) {
    return gp::adaptive_max_pool3d_backward(view(grad_output), view(self), positions, view(result));
  });
}

bool replication_pad2d(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                       const Tensor& result) {
  return run("replication_pad2d_backward",
             gp::replication_pad2d_backward(view(grad_output), view(self), numbers(padding),
                                            view(result)));
}

bool upsample_bilinear2d(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                         bool align_corners, Scale scale_h, Scale scale_w, const Tensor& result) {
  if (output_size.size() != 2 || input_size.size() != 4) return false;  // ATen says what is wrong
  // ATen ignores a scale along an axis of equal extents, in the forward too.
  const auto scale = [&](int axis, Scale value) {
    return output_size[axis] == input_size[axis + 2] ? 0 : value.value_or(0);
  };
  return run("upsample_bilinear2d_backward",
             gp::upsample_bilinear2d_backward(view(grad_output, false, ACL_FORMAT_NCHW),
                                              numbers(output_size), numbers(input_size),
                                              align_corners, scale(0, scale_h), scale(1, scale_w),
                                              view(result, false, ACL_FORMAT_NCHW)));
}

bool use(bool on) { return used.exchange(on); }

Counts counts() {
  const std::lock_guard lock(counting);
  return counted.copy();
}

}  // namespace

TORCH_LIBRARY(gradproof, m) {
  m.def("use(bool on) -> bool", use);
  m.def("counts() -> Dict(str, int)", counts);
}

TORCH_LIBRARY_IMPL(aten, CPU, m) {
  // PyTorch's rules, whatever the environment chooses for programs of CANN.
  gradproof_set_option("soc", "Ascend910B");
  gradproof_set_option("conformance", "documented");
  using namespace at::cpu;
#define GRADIENT(forms, name, new_result, ours)                         \
  m.impl(#name, TORCH_FN((forms::functional<new_result, ours, name>))); \
  m.impl(#name ".grad_input", TORCH_FN((forms::out<ours, name##_outf>)));
  GRADIENT(MaxPool, max_pool2d_with_indices_backward, empty<max_pool2d_keeps>, max_pool<true>)
  GRADIENT(MaxPool, max_pool3d_with_indices_backward, empty<max_pool3d_keeps>, max_pool<false>)
  GRADIENT(AdaptiveMaxPool, adaptive_max_pool3d_backward, empty<adaptive_max_pool3d_keeps>,
           adaptive_max_pool3d)
  GRADIENT(Pad, replication_pad2d_backward, empty<pad_keeps>, replication_pad2d)
  GRADIENT(Upsample, upsample_bilinear2d_backward, empty_image, upsample_bilinear2d)
#undef GRADIENT
}
