// Rules of bilinear upsampling, gradient and forward (docs/contract.md).
#include <cmath>

#include "ref/rules_internal.h"

namespace gradproof::ref {
namespace {

bool every_product(Product) { return true; }
bool image_format(std::int32_t format, std::size_t) { return format == kNchw || format == kNhwc; }
bool rank_4(std::size_t rank) { return rank == 4; }

std::string_view large_image(Operator op) { return is_backward(op) ? "gradOut" : "out"; }
std::string_view small_image(Operator op) { return is_backward(op) ? "out" : "self"; }

std::optional<Violation> no_zero_dims(const Call& call) {
  const auto [first, second] = is_backward(call.op)
                                   ? std::pair{large_image(call.op), small_image(call.op)}
                                   : std::pair{small_image(call.op), large_image(call.op)};
  if (auto v = check_no_zero(call, first, 0)) return v;
  return check_no_zero(call, second, 0);
}

std::optional<Violation> array_lengths(const Call& call) {
  if (auto v = check_length(call, "outputSize", {2})) return v;
  return is_backward(call.op) ? check_length(call, "inputSize", {4}) : std::nullopt;
}

std::optional<Violation> size_values(const Call& call) {
  if (auto v = check_least(call, "outputSize", 1, "positive")) return v;
  if (is_backward(call.op)) {
    if (auto v = check_least(call, "inputSize", 1, "positive")) return v;
  }
  for (std::string_view scale : {"scalesH", "scalesW"}) {
    const double real = call.reals[slot(call.op, scale)];
    if (!std::isfinite(real)) {
      const char* const value = std::isnan(real) ? "nan" : real < 0 ? "-inf" : "inf";
      return Violation{
          std::string(scale), std::string(scale) + " is " + value + ", not finite", {{value}}};
    }
  }
  return std::nullopt;
}

// The small image is as inputSize says, or is self; the large one is it with outputSize's H and W.
std::optional<Violation> shapes(const Call& call) {
  const std::vector<std::int64_t>& size = int_array(call, "outputSize").values;
  const std::vector<std::int64_t>& small = is_backward(call.op)
                                               ? int_array(call, "inputSize").values
                                               : tensor(call, small_image(call.op)).shape;
  const std::size_t h = tensor(call, small_image(call.op)).format == kNhwc ? 1 : 2;
  std::vector<Wide> wanted(small.begin(), small.end());
  if (is_backward(call.op)) {
    std::vector<Wide> large = wanted;
    large[h] = size[0];
    large[h + 1] = size[1];
    if (auto v = check_shape(call, "gradOut", large, "inputSize with outputSize")) return v;
    return check_shape(call, "out", wanted, "inputSize");
  }
  wanted[h] = size[0];
  wanted[h + 1] = size[1];
  return check_shape(call, "out", wanted, "self's with outputSize");
}

constexpr OperatorRules kBoth = {.exists_on = every_product,
                                 .needs_platform = false,
                                 .accepts_dtype = float_dtype,
                                 .indices = "",
                                 .indices_dtype = kDtypeUndefined,
                                 .accepts_format = image_format,
                                 .accepts_rank = rank_4,
                                 .zero_dims = no_zero_dims,
                                 .array_length = array_lengths,
                                 .kernel_value = nullptr,
                                 .stride_value = nullptr,
                                 .padding_value = nullptr,
                                 .dilation_value = nullptr,
                                 .size_value = size_values,
                                 .shape = shapes,
                                 .index_range = nullptr,
                                 .contiguous_indices = false};

}  // namespace

constinit const OperatorRules kUpsampleRules = kBoth;

}  // namespace gradproof::ref
