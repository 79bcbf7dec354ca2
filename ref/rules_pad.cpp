// Rules of replication padding, gradient and forward (docs/contract.md).
#include <algorithm>

#include "ref/row.h"

namespace gradproof::ref {
namespace {

bool every_product(Product) { return true; }

bool pad_dtype(Product, std::int32_t dtype) {
  return dtype == kFloat || dtype == kFloat16 || dtype == kDouble || dtype == kComplex64 ||
         dtype == kComplex128;
}

bool public_format(std::int32_t format, std::size_t) {
  constexpr std::int32_t kPublic[] = {kNchw, kNhwc, kNd, kHwcn, kNdhwc, kNcdhw, kNc, kNcl};
  return std::ranges::find(kPublic, format) != std::end(kPublic);
}

bool rank_3_or_4(std::size_t rank) { return rank == 3 || rank == 4; }

// The first dimension may be 0.
std::optional<Violation> no_zero_dims(const Call& call) {
  for (const Parameter& p : signature(call.op).parameters) {
    if (p.kind != Kind::tensor) continue;
    if (auto v = check_no_zero(call, p.name, 1)) return v;
  }
  return std::nullopt;
}

std::optional<Violation> array_length(const Call& call) {
  return check_length(call, "padding", {2 * row_of(call.op).plane_axes});
}

// padding is left, right, top, bottom, …: the last axis first.
std::optional<Violation> padding_values(const Call& call) {
  const std::vector<std::int64_t>& self = tensor(call, "self").shape;
  const std::vector<std::int64_t>& padding = int_array(call, "padding").values;
  for (std::size_t i = 0; i < padding.size(); ++i) {
    const std::int64_t extent = self[self.size() - 1 - i / 2];
    if (padding[i] >= extent) {
      return value_violation("padding", i, padding[i], "less than " + std::to_string(extent),
                             extent);
    }
  }
  return std::nullopt;
}

std::optional<Violation> shapes(const Call& call) {
  const std::vector<std::int64_t>& self = tensor(call, "self").shape;
  const std::vector<std::int64_t>& pad = int_array(call, "padding").values;
  std::vector<Wide> padded(self.begin(), self.end());
  for (std::size_t i = 0; i < pad.size(); ++i) padded[padded.size() - 1 - i / 2] += pad[i];
  // An extent below 1 equals that of no tensor that came this far.
  const std::string_view large = is_backward(call.op) ? "gradOutput" : "out";
  if (auto v = check_shape(call, large, padded, "self's with padding")) {
    // Of two tensors that disagree the later one is blamed.
    if (is_backward(call.op)) v->argument = "self", v->detail = "self does not fit: " + v->detail;
    return v;
  }
  if (!is_backward(call.op)) return std::nullopt;
  return check_shape(call, "gradInput", std::vector<Wide>(self.begin(), self.end()), "self's");
}

constexpr OperatorRules kPad2d = {.exists_on = every_product,
                                  .needs_platform = false,
                                  .accepts_dtype = pad_dtype,
                                  .indices = "",
                                  .indices_dtype = kDtypeUndefined,
                                  .accepts_format = public_format,
                                  .accepts_rank = rank_3_or_4,
                                  .zero_dims = no_zero_dims,
                                  .array_length = array_length,
                                  .kernel_value = nullptr,
                                  .stride_value = nullptr,
                                  .padding_value = padding_values,
                                  .dilation_value = nullptr,
                                  .size_value = nullptr,
                                  .shape = shapes,
                                  .index_range = nullptr,
                                  .contiguous_indices = false};

}  // namespace

constinit const OperatorRules kReplicationPadRules = kPad2d;

}  // namespace gradproof::ref
