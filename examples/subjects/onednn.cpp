// Makes oneDNN a subject: its CPU gradients of bilinear resampling and of max pooling. Needs
// Debian's libdnnl-dev.
//
//   c++ -std=c++17 -O2 -shared -fPIC onednn.cpp \
//     $(pkg-config --cflags --libs gradproof-subject) -ldnnl -o libonednn.so
//   gradproof verify --library ./libonednn.so    # with onednn.json beside it
#include <dnnl.hpp>
#include <gradproof/subject.hpp>
#include <utility>

namespace {

using namespace gradproof::subject;
using dnnl::memory;

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

template <class T, int rank>
memory::desc description(const View<T, rank>& view, const Dims<rank>& strides) {
  const memory::data_type type = view.type == ACL_BF16      ? memory::data_type::bf16
                                 : view.type == ACL_FLOAT16 ? memory::data_type::f16
                                                            : memory::data_type::f32;
  return {memory::dims(view.shape.begin(), view.shape.end()), type,
          memory::dims(strides.begin(), strides.end())};
}

template <class T, int rank>
memory tensor(const View<T, rank>& view) {
  return {description(view, view.strides), engine(),
          const_cast<void*>(static_cast<const void*>(view.data))};
}

/// Whether elements share memory, which oneDNN's descriptors cannot express.
template <class T, int rank>
bool overlaps(const View<T, rank>& view) {
  std::vector<std::pair<std::int64_t, std::int64_t>> dims;  // stride, extent
  for (std::size_t d = 0; d < rank; ++d) {
    if (view.shape[d] > 1) dims.emplace_back(view.strides[d], view.shape[d]);
  }
  std::sort(dims.begin(), dims.end());
  std::int64_t reach = 0;
  for (const auto& [stride, extent] : dims) {
    if (stride <= reach) return true;
    reach += stride * (extent - 1);
  }
  return false;
}

/// Calls without a oneDNN primitive are not supported; all other exceptions are findings.
template <class Make>
Answer run(Make make) try {
  dnnl::stream stream(engine());
  make(stream);
  stream.wait();
  return {};
} catch (const dnnl::error& e) {
  if (e.status == dnnl_unimplemented) return not_supported("oneDNN: unimplemented");
  throw;
}

Answer resample(const UpsampleBilinear2dBackward<void>& c) {
  if (c.align_corners) return not_supported("aligned corners");
  if (overlaps(c.grad_out)) return not_supported("elements that share memory");
  const auto fits = [](double scale, std::int64_t in, std::int64_t out) {
    return scale <= 0 || scale == static_cast<double>(out) / static_cast<double>(in);
  };
  if (!fits(c.scale_h, c.out.shape[2], c.grad_out.shape[2]) ||
      !fits(c.scale_w, c.out.shape[3], c.grad_out.shape[3]))
    return not_supported("scales other than the ratio of the extents");
  return run([&](dnnl::stream& stream) {
    const memory gradient = tensor(c.grad_out), result = tensor(c.out);
    const auto linear = dnnl::algorithm::resampling_linear;
    const memory::desc small = result.get_desc(), large = gradient.get_desc();
    const dnnl::resampling_forward::primitive_desc forward(
        {dnnl::prop_kind::forward_training, linear, small, large}, engine());
    dnnl::resampling_backward({{linear, small, large}, engine(), forward})
        .execute(stream, {{DNNL_ARG_DIFF_DST, gradient}, {DNNL_ARG_DIFF_SRC, result}});
  });
}

/// An image of whole numbers up to 255 whose maxima are at these positions; empty if there is
/// none.
template <int axes>
std::vector<float> image(const Windows<axes>& windows,
                         const View<const std::int32_t, axes + 2>& indices,
                         const Dims<axes + 2>& shape) {
  Dims<axes> extents;
  std::copy(shape.begin() + 2, shape.end(), extents.begin());
  const std::int64_t plane = Positions<axes>{extents}.size();
  std::vector<float> values(static_cast<std::size_t>(shape[0] * shape[1] * plane), 0.0F);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& at : indices.positions()) {
      float* const values_of_plane = values.data() + (at[0] * shape[1] + at[1]) * plane;
      const std::int64_t index = indices.data[indices.distance(at)];
      float& maximum = values_of_plane[index];
      bool inside = false;
      for (const auto& k : Positions<axes>{windows.kernel_size}) {
        std::int64_t flat = 0, d = 0;
        for (; d < axes; ++d) {
          const std::int64_t x = at[d + 2] * windows.stride[d] - windows.padding[d] + k[d];
          if (x < 0 || x >= extents[d]) break;
          flat = flat * extents[d] + x;
        }
        if (d < axes) continue;
        inside = inside || flat == index;
        if (flat == index || values_of_plane[flat] < maximum) continue;
        maximum = values_of_plane[flat] + 1;
        changed = true;
      }
      if (!inside || maximum > 255) return {};
    }
  }
  return values;
}

/// Runs the forward first, because oneDNN's gradient needs its workspace.
template <class Call, int axes>
Answer pool(const Call& c, const Windows<axes>& windows) {
  if (overlaps(c.grad_output)) return not_supported("elements that share memory");
  std::vector<float> values = image<axes>(windows, c.indices, c.grad_input.shape);
  if (values.empty()) return not_supported("no image has these maxima");
  return run([&](dnnl::stream& stream) {
    const auto max = dnnl::algorithm::pooling_max;
    const auto dims = [](const auto& numbers) {
      return memory::dims(numbers.begin(), numbers.end());
    };
    memory::dims right;
    for (int d = 0; d < axes; ++d) {
      right.push_back(std::max<std::int64_t>(
          0, (c.grad_output.shape[d + 2] - 1) * windows.stride[d] + windows.kernel_size[d] -
                 c.grad_input.shape[d + 2] - windows.padding[d]));
    }
    const memory gradient = tensor(c.grad_output), result = tensor(c.grad_input);
    const memory::desc small = gradient.get_desc(), large = result.get_desc();
    const auto kernel = dims(windows.kernel_size), stride = dims(windows.stride),
               left = dims(windows.padding);
    const dnnl::pooling_forward::primitive_desc forward(
        {dnnl::prop_kind::forward_training, max, large, small, stride, kernel, left, right},
        engine());
    const dnnl::pooling_backward::primitive_desc backward(
        {max, large, small, stride, kernel, left, right}, engine(), forward);
    const memory::desc plain(large.dims(), memory::data_type::f32,
                             dims(gradproof::subject::contiguous(c.grad_input.shape)));
    memory given(plain, engine(), values.data()), source(large, engine()), pooled(small, engine());
    const memory workspace(forward.workspace_desc(), engine());
    dnnl::reorder(given, source).execute(stream, given, source);
    dnnl::pooling_forward(forward).execute(
        stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, pooled}, {DNNL_ARG_WORKSPACE, workspace}});
    dnnl::pooling_backward(backward).execute(stream, {{DNNL_ARG_DIFF_DST, gradient},
                                                      {DNNL_ARG_DIFF_SRC, result},
                                                      {DNNL_ARG_WORKSPACE, workspace}});
  });
}

Answer max_pool2d(const MaxPool2dWithMaskBackward<void>& c) {
  return pool<MaxPool2dWithMaskBackward<void>, 2>(c, c);
}
Answer max_pool3d(const MaxPool3dWithArgmaxBackward<void>& c) {
  return pool<MaxPool3dWithArgmaxBackward<void>, 3>(c, c);
}

}  // namespace

GRADPROOF_KERNEL(upsample_bilinear2d_backward, resample)
GRADPROOF_KERNEL(max_pool2d_with_mask_backward, max_pool2d)
GRADPROOF_KERNEL(max_pool3d_with_argmax_backward, max_pool3d)
GRADPROOF_POSITIONS
GRADPROOF_PROFILE("onednn.json")
