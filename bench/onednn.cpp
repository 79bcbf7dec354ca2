// oneDNN as a contestant, in the problem's layout or in the fastest of those that it is made for.
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <dnnl.hpp>
#include <limits>

#include "bench/contestant.h"
#include "bench/measure.h"
#include "bench/memory.h"
#include "bench/openmp.h"
#include "ref/types.h"
#include "ref/windows.h"

namespace gradproof::bench {
namespace {

using Memory = dnnl::memory;

struct Tag {
  const char* name;
  Memory::format_tag plane, volume;  ///< for 4 and for 5 dimensions
};
constexpr Tag kPlain = {"plain", Memory::format_tag::abcd, Memory::format_tag::abcde};
constexpr Tag kChannelsLast = {"channels last", Memory::format_tag::acdb,
                               Memory::format_tag::acdeb};
constexpr Tag kBlocked16 = {"blocks of 16 channels", Memory::format_tag::nChw16c,
                            Memory::format_tag::nCdhw16c};
constexpr Tag kBlocked8 = {"blocks of 8 channels", Memory::format_tag::nChw8c,
                           Memory::format_tag::nCdhw8c};

Memory::data_type data_type(std::int32_t type) {
  switch (type) {
    case ref::kBf16: return Memory::data_type::bf16;
    case ref::kFloat16: return Memory::data_type::f16;
    case ref::kFloat: return Memory::data_type::f32;
    default: throw dnnl::error(dnnl_unimplemented, "no primitive for gradients has this type");
  }
}

/// A primitive's memory in pages like everybody's.
struct Area {
  Area(const Memory::desc& description, const dnnl::engine& engine, int place)
      : bytes(description.get_size(), place), handle(description, engine, bytes.data()) {}
  Buffer bytes;
  Memory handle;
};

class OneDnn final : public Contestant {
 public:
  OneDnn(const Problem& problem, int threads, const Tag& tag)
      : threads_(threads),
        problem_(problem),
        engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        tag_(tag) {
    omp_set_num_threads(threads);
    const Configuration& c = problem.configuration;
    input_ = c.input;
    large_ = problem.call.tensors[0].shape;
    if (problem.call.tensors[0].format == ref::kNhwc)
      large_ = {large_[0], large_[3], large_[1], large_[2]};
    if (c.op == ref::Operator::upsample_bilinear2d_backward)
      resampling();
    else
      pooling();
    load(problem.data[0], large_, problem.call.tensors[0].format == ref::kNhwc, *diff_dst_);
  }

  void run() override {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }

  void start_threads() override { start_openmp_threads(threads_); }
  void end_threads() override { end_openmp_threads(); }

  std::vector<std::span<std::byte>> memory() const override {
    std::vector<std::span<std::byte>> all = {diff_dst_->bytes.bytes(), diff_src_->bytes.bytes()};
    if (workspace_) all.push_back(workspace_->bytes.bytes());
    return all;
  }

  std::optional<ref::Dense> take_result() override {
    const ref::Tensor& output = problem_.call.tensors[problem_.output_slot()];
    ref::Dense dense{problem_.type, output.shape, {}};
    const bool last = output.format == ref::kNhwc;
    const Memory::desc plain = describe(input_, last ? kChannelsLast : kPlain);
    dense.bytes.resize(plain.get_size());
    Memory to(plain, engine_, dense.bytes.data());
    dnnl::stream stream(engine_);
    Memory from = diff_src_->handle;
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    return dense;
  }

  std::string remark() const override { return tag_.name; }

 private:
  Memory::desc describe(const Memory::dims& dims, const Tag& tag) const {
    return Memory::desc(dims, data_type(problem_.type), dims.size() == 4 ? tag.plane : tag.volume);
  }

  /// Reorders dense data, channels first or last, into the primitive's layout.
  void load(const ref::Dense& dense, const Memory::dims& dims, bool last, Area& to) {
    Memory from(describe(dims, last ? kChannelsLast : kPlain), engine_,
                const_cast<std::byte*>(dense.bytes.data()));
    dnnl::reorder(from, to.handle).execute(stream_, from, to.handle);
    stream_.wait();
  }

  void take(const Memory::desc& diff_src, const Memory::desc& diff_dst) {
    diff_src_.emplace(diff_src, engine_, 1);
    diff_dst_.emplace(diff_dst, engine_, 0);
    arguments_ = {{DNNL_ARG_DIFF_SRC, diff_src_->handle}, {DNNL_ARG_DIFF_DST, diff_dst_->handle}};
  }

  void resampling() {
    const Memory::desc small = describe(input_, tag_), large = describe(large_, tag_);
    const auto linear = dnnl::algorithm::resampling_linear;
    const dnnl::resampling_forward::primitive_desc forward(
        {dnnl::prop_kind::forward_training, linear, small, large}, engine_);
    const dnnl::resampling_backward::primitive_desc backward({linear, small, large}, engine_,
                                                             forward);
    take(small, large);
    primitive_ = dnnl::resampling_backward(backward);
  }

  /// The forward is run first, for the workspace that it hands to the backward.
  void pooling() {
    Memory::dims kernel, stride, left, right;
    const std::vector<ref::WindowAxis> axes =
        ref::window_axes(problem_.call, problem_.configuration.input.size() - 2);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const ref::WindowAxis& a = axes[i];
      kernel.push_back(a.kernel);
      stride.push_back(a.stride);
      left.push_back(a.pad);
      right.push_back(
          std::max<std::int64_t>(0, (large_[i + 2] - 1) * a.stride + a.kernel - a.in - a.pad));
    }
    const Memory::desc small = describe(large_, tag_), input = describe(input_, tag_);
    const auto max = dnnl::algorithm::pooling_max;
    const dnnl::pooling_forward::primitive_desc forward(
        {dnnl::prop_kind::forward_training, max, input, small, stride, kernel, left, right},
        engine_);
    const dnnl::pooling_backward::primitive_desc backward(
        {max, input, small, stride, kernel, left, right}, engine_, forward);
    take(input, small);
    workspace_.emplace(forward.workspace_desc(), engine_, 2);
    Area source(input, engine_, 3), pooled(small, engine_, 4);
    load(problem_.self, input_, false, source);
    dnnl::pooling_forward(forward).execute(stream_, {{DNNL_ARG_SRC, source.handle},
                                                     {DNNL_ARG_DST, pooled.handle},
                                                     {DNNL_ARG_WORKSPACE, workspace_->handle}});
    stream_.wait();
    arguments_.emplace(DNNL_ARG_WORKSPACE, workspace_->handle);
    primitive_ = dnnl::pooling_backward(backward);
  }

  int threads_;
  const Problem& problem_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  Tag tag_;
  Memory::dims input_, large_;  ///< as N,C[,D],H,W: of gradInput and of the gradient that comes in
  std::optional<Area> diff_src_, diff_dst_, workspace_;
  dnnl::primitive primitive_;
  std::unordered_map<int, Memory> arguments_;
};

std::unique_ptr<OneDnn> make(const Problem& problem, int threads, const Tag& tag) {
  try {
    auto contestant = std::make_unique<OneDnn>(problem, threads, tag);
    contestant->run();
    return contestant;
  } catch (const dnnl::error&) {
    return nullptr;  // unimplemented
  }
}

bool has_primitive(const Configuration& c) {
  switch (c.op) {
    case ref::Operator::upsample_bilinear2d_backward: return !c.align_corners;
    case ref::Operator::max_pool3d_with_argmax_backward:
    case ref::Operator::max_pool2d_with_mask_backward: return true;
    default: return false;
  }
}

}  // namespace

std::unique_ptr<Contestant> make_onednn(const Problem& problem, int threads, DnnLayout layout) {
  const Configuration& c = problem.configuration;
  if (!has_primitive(c)) return nullptr;
  if (layout == DnnLayout::same) {
    if (c.layout == Layout::contiguous) return make(problem, threads, kPlain);
    if (c.layout == Layout::channels_last) return make(problem, threads, kChannelsLast);
    return nullptr;
  }
  std::unique_ptr<OneDnn> best;
  double least = std::numeric_limits<double>::infinity();
  for (const Tag& tag : {kPlain, kChannelsLast, kBlocked16, kBlocked8}) {
    std::unique_ptr<OneDnn> candidate = make(problem, threads, tag);
    const double seconds = candidate ? least_seconds(*candidate) : least;
    if (seconds >= least) continue;
    least = seconds;
    best = std::move(candidate);
  }
  return best;
}

}  // namespace gradproof::bench
