// Rules of the three poolings, gradients and forwards (docs/contract.md).
#include <algorithm>
#include <limits>

#include "ref/row.h"
#include "ref/windows.h"

namespace gradproof::ref {
namespace {

bool newer_products(Product product) { return has_bf16(product); }
bool not_310p(Product product) { return product != Product::Ascend310P; }

bool format_3d(std::int32_t format, std::size_t rank) {
  return format == kNd || (format == kNcdhw && rank == 5) || (format == kNchw && rank == 4);
}
bool format_2d(std::int32_t format, std::size_t) {
  return format == kNchw || format == kNd || format == kNcl;
}
bool rank_3d(std::size_t rank) { return rank == 4 || rank == 5; }
bool rank_2d(std::size_t rank) { return rank == 3 || rank == 4; }

// The names of the pooled values and of the indices, which a gradient reads and a forward writes.
struct Names {
  std::string_view pooled, indices;
};
Names names(Operator op) {
  const OperatorRow& row = row_of(op);
  const auto pooled = std::ranges::find_if(row.parameters, [&](const Parameter& p) {
    return row.backward || p.access == Access::written;  // the first one of a gradient
  });
  return {pooled->name, row.rules->indices};
}

// The first violation that `check` finds over the call's tensors, in parameter order.
template <class F>
std::optional<Violation> first_of_tensors(const Call& call, F&& check) {
  for (const Parameter& p : signature(call.op).parameters) {
    if (p.kind != Kind::tensor) continue;
    if (std::optional<Violation> v = check(p.name)) return v;
  }
  return std::nullopt;
}

std::optional<Violation> no_zero_dims(const Call& call) {
  return first_of_tensors(call, [&](std::string_view t) { return check_no_zero(call, t, 0); });
}

// N of a rank-4 call may be 0.
std::optional<Violation> no_zero_dims_but_batch(const Call& call) {
  return first_of_tensors(call, [&](std::string_view t) {
    return check_no_zero(call, t, tensor(call, t).shape.size() == 4 ? 1 : 0);
  });
}

// An empty self cannot be the source of pooled values; any other emptiness is fine.
std::optional<Violation> no_empty_planes_with_pooled_values(const Call& call) {
  for (std::int64_t d : tensor(call, names(call.op).pooled).shape) {
    if (d == 0) return std::nullopt;
  }
  return check_no_zero(call, "self", tensor(call, "self").shape.size() - 3);
}

template <std::size_t axes>
std::optional<Violation> array_lengths(const Call& call) {
  if (auto v = check_length(call, "kernelSize", {1, axes})) return v;
  if (auto v = check_length(call, "stride", {0, 1, axes})) return v;
  if (auto v = check_length(call, "padding", {1, axes})) return v;
  return check_length(call, "dilation", {1, axes});
}

std::optional<Violation> kernel_values(const Call& call) {
  return check_least(call, "kernelSize", 1, "positive");
}
std::optional<Violation> stride_values(const Call& call) {
  return check_least(call, "stride", 1, "positive");
}

template <std::size_t axes>
std::optional<Violation> padding_values(const Call& call) {
  const IntArray& padding = int_array(call, "padding");
  for (std::size_t a = 0; a < axes; ++a) {
    const std::int64_t pad = spread(padding, a);
    const std::int64_t kernel = spread(int_array(call, "kernelSize"), a);
    if (pad < 0 || pad > kernel / 2) {
      return value_violation("padding", padding.values.size() == 1 ? 0 : a, pad,
                             "in [0, " + std::to_string(kernel / 2) + "]", kernel / 2);
    }
  }
  return std::nullopt;
}

std::optional<Violation> dilation_values(const Call& call) {
  const std::vector<std::int64_t>& values = int_array(call, "dilation").values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 1) return value_violation("dilation", i, values[i], "1", 1);
  }
  return std::nullopt;
}

// Shape of the pooled values, as self and the windows demand it. An extent below 1 equals that of
// no tensor that came this far, so it needs no check of its own.
template <std::size_t axes>
std::vector<Wide> pooled_shape(const Call& call) {
  const std::vector<std::int64_t>& self = tensor(call, "self").shape;
  std::vector<Wide> wanted(self.begin(), self.end() - axes);
  for (const WindowAxis& a : window_axes(call, axes)) {
    wanted.push_back(pooled_extent(a, call.flags[0] != 0));
  }
  return wanted;
}

// The tensors of a pooling call, once what the pooled values and the indices must look like is
// known. Where self and gradOutput of a gradient disagree, the later one is blamed: self.
std::optional<Violation> check_pool(const Call& call, std::span<const Wide> pooled,
                                    std::span<const Wide> indices) {
  const Names n = names(call.op);
  if (auto v = check_shape(call, n.pooled, pooled, "as self is pooled")) {
    if (is_backward(call.op)) v->argument = "self", v->detail = "self does not fit: " + v->detail;
    return v;
  }
  if (auto v = check_shape(call, n.indices, indices, "as self is pooled")) return v;
  if (!is_backward(call.op)) return std::nullopt;
  const std::vector<std::int64_t>& self = tensor(call, "self").shape;
  return check_shape(call, "gradInput", std::vector<Wide>(self.begin(), self.end()), "self's");
}

std::optional<Violation> shape_3d(const Call& call) {
  const std::vector<Wide> pooled = pooled_shape<3>(call);
  return check_pool(call, pooled, pooled);
}

std::optional<Violation> shape_2d(const Call& call) {
  const std::vector<Wide> pooled = pooled_shape<2>(call);
  std::vector<Wide> mask(pooled.begin(), pooled.end() - 2);
  // Positions are clipped well above any count that a tensor can have, so that nothing overflows.
  constexpr Wide kClip = Wide{1} << 60;
  const Wide height = std::min(pooled.end()[-2], kClip), width = std::min(pooled.end()[-1], kClip);
  const std::vector<WindowAxis> windows = window_axes(call, 2);
  mask.push_back(Wide{windows[0].kernel} * windows[1].kernel);
  mask.push_back(((height * width + 15) / 16 + 1) * 32);
  return check_pool(call, pooled, mask);
}

// Adaptive pooling takes any pooled extent; N and C must agree, and a forward says outputSize.
std::optional<Violation> shape_adaptive(const Call& call) {
  const std::vector<std::int64_t>& self = tensor(call, "self").shape;
  std::vector<Wide> pooled(self.begin(), self.end() - 3);
  const std::vector<std::int64_t>& size = is_backward(call.op)
                                              ? tensor(call, "gradOutput").shape
                                              : int_array(call, "outputSize").values;
  pooled.insert(pooled.end(), size.end() - 3, size.end());
  return check_pool(call, pooled, pooled);
}

std::optional<Violation> adaptive_length(const Call& call) {
  return check_length(call, "outputSize", {3});
}
std::optional<Violation> adaptive_size(const Call& call) {
  return check_least(call, "outputSize", 0, "at least 0");
}

// Indices are INT32: every position of a plane must be one.
std::optional<Violation> planes_fit_int32(const Call& call) {
  const std::vector<std::int64_t>& self = tensor(call, "self").shape;
  constexpr Wide kMost = std::numeric_limits<std::int32_t>::max();
  if (product_up_to(std::span(self).last(3), kMost) <= kMost) return std::nullopt;
  Violation v{
      "self", "self has planes of more than 2147483647 elements, shape " + text(self), {{}}};
  for (const std::int64_t extent : std::span(self).last(3))
    v.values.front().push_back(std::to_string(extent));
  return v;
}

constexpr OperatorRules kPool3d = {.exists_on = newer_products,
                                   .needs_platform = true,
                                   .accepts_dtype = float_dtype,
                                   .indices = "indices",
                                   .indices_dtype = kInt32,
                                   .accepts_format = format_3d,
                                   .accepts_rank = rank_3d,
                                   .zero_dims = no_zero_dims,
                                   .array_length = array_lengths<3>,
                                   .kernel_value = kernel_values,
                                   .stride_value = stride_values,
                                   .padding_value = padding_values<3>,
                                   .dilation_value = dilation_values,
                                   .size_value = nullptr,
                                   .shape = shape_3d,
                                   .index_range = planes_fit_int32,
                                   .contiguous_indices = false};
constexpr OperatorRules kPool2d = {.exists_on = not_310p,
                                   .needs_platform = true,
                                   .accepts_dtype = float_dtype,
                                   .indices = "indices",
                                   .indices_dtype = kInt8,
                                   .accepts_format = format_2d,
                                   .accepts_rank = rank_2d,
                                   .zero_dims = no_zero_dims_but_batch,
                                   .array_length = array_lengths<2>,
                                   .kernel_value = kernel_values,
                                   .stride_value = stride_values,
                                   .padding_value = padding_values<2>,
                                   .dilation_value = dilation_values,
                                   .size_value = nullptr,
                                   .shape = shape_2d,
                                   .index_range = nullptr,
                                   .contiguous_indices = true};
constexpr OperatorRules adaptive(std::string_view indices, Check length, Check size) {
  return {.exists_on = newer_products,
          .needs_platform = true,
          .accepts_dtype = float_dtype,
          .indices = indices,
          .indices_dtype = kInt32,
          .accepts_format = format_3d,
          .accepts_rank = rank_3d,
          .zero_dims = no_empty_planes_with_pooled_values,
          .array_length = length,
          .kernel_value = nullptr,
          .stride_value = nullptr,
          .padding_value = nullptr,
          .dilation_value = nullptr,
          .size_value = size,
          .shape = shape_adaptive,
          .index_range = planes_fit_int32,
          .contiguous_indices = false};
}

}  // namespace

const OperatorRules kMaxPool3dRules = kPool3d;
const OperatorRules kMaxPool2dRules = kPool2d;
const OperatorRules kAdaptivePoolBackwardRules = adaptive("indices", nullptr, nullptr);
const OperatorRules kAdaptivePoolRules = adaptive("indicesOut", adaptive_length, adaptive_size);

}  // namespace gradproof::ref
