// The signature table: one row an operator.
#include "ref/call.h"

#include <array>
#include <cstdlib>

namespace gradproof::ref {
namespace {

constexpr Parameter in(std::string_view name, int slot) {
  return {name, Kind::tensor, Access::read, slot};
}
constexpr Parameter described(std::string_view name, int slot) {
  return {name, Kind::tensor, Access::described, slot};
}
constexpr Parameter out(std::string_view name, int slot) {
  return {name, Kind::tensor, Access::written, slot};
}
constexpr Parameter ints(std::string_view name, int slot) {
  return {name, Kind::int_array, Access::read, slot};
}
constexpr Parameter flag(std::string_view name, int slot) {
  return {name, Kind::flag, Access::read, slot};
}
constexpr Parameter real(std::string_view name, int slot) {
  return {name, Kind::real, Access::read, slot};
}

constexpr Parameter kWindowPoolBackward[] = {
    in("gradOutput", 0),   described("self", 1), in("indices", 2),
    ints("kernelSize", 0), ints("stride", 1),    ints("padding", 2),
    ints("dilation", 3),   flag("ceilMode", 0),  out("gradInput", 3)};
constexpr Parameter kUpsampleBackward[] = {
    in("gradOut", 0),   ints("outputSize", 0), ints("inputSize", 1), flag("alignCorners", 0),
    real("scalesH", 0), real("scalesW", 1),    out("out", 1)};
constexpr Parameter kPadBackward[] = {in("gradOutput", 0), described("self", 1), ints("padding", 0),
                                      out("gradInput", 2)};
constexpr Parameter kAdaptiveBackward[] = {in("gradOutput", 0), described("self", 1),
                                           in("indices", 2), out("gradInput", 3)};
constexpr Parameter kWindowPool[] = {in("self", 0),      ints("kernelSize", 0), ints("stride", 1),
                                     ints("padding", 2), ints("dilation", 3),   flag("ceilMode", 0),
                                     out("out", 1),      out("indices", 2)};
constexpr Parameter kUpsample[] = {in("self", 0),           ints("outputSize", 0),
                                   flag("alignCorners", 0), real("scalesH", 0),
                                   real("scalesW", 1),      out("out", 1)};
constexpr Parameter kPad[] = {in("self", 0), ints("padding", 0), out("out", 1)};
constexpr Parameter kAdaptive[] = {in("self", 0), ints("outputSize", 0), out("outputOut", 1),
                                   out("indicesOut", 2)};

// A row stands at its operator's number.
constexpr std::array<Signature, kOperatorCount> kSignatures = {{
    {Operator::max_pool3d_with_argmax_backward, "max_pool3d_with_argmax_backward",
     "aclnnMaxPool3dWithArgmaxBackward", kWindowPoolBackward, true,
     Operator::max_pool3d_with_argmax},
    {Operator::max_pool2d_with_mask_backward, "max_pool2d_with_mask_backward",
     "aclnnMaxPool2dWithMaskBackward", kWindowPoolBackward, true, Operator::max_pool2d_with_mask},
    {Operator::upsample_bilinear2d_backward, "upsample_bilinear2d_backward",
     "aclnnUpsampleBilinear2dBackwardV2", kUpsampleBackward, true, Operator::upsample_bilinear2d},
    {Operator::replication_pad2d_backward, "replication_pad2d_backward",
     "aclnnReplicationPad2dBackward", kPadBackward, true, Operator::replication_pad2d},
    {Operator::adaptive_max_pool3d_backward, "adaptive_max_pool3d_backward",
     "aclnnAdaptiveMaxPool3dBackward", kAdaptiveBackward, true, Operator::adaptive_max_pool3d},
    {Operator::max_pool3d_with_argmax, "max_pool3d_with_argmax", "aclnnMaxPool3dWithArgmax",
     kWindowPool, false, Operator::max_pool3d_with_argmax_backward},
    {Operator::max_pool2d_with_mask, "max_pool2d_with_mask", "aclnnMaxPool2dWithMask", kWindowPool,
     false, Operator::max_pool2d_with_mask_backward},
    {Operator::upsample_bilinear2d, "upsample_bilinear2d", "aclnnUpsampleBilinear2d", kUpsample,
     false, Operator::upsample_bilinear2d_backward},
    {Operator::replication_pad2d, "replication_pad2d", "aclnnReplicationPad2d", kPad, false,
     Operator::replication_pad2d_backward},
    {Operator::adaptive_max_pool3d, "adaptive_max_pool3d", "aclnnAdaptiveMaxPool3d", kAdaptive,
     false, Operator::adaptive_max_pool3d_backward},
}};

constexpr std::string_view kProductNames[kProductCount] = {"Ascend910", "Ascend310P", "Ascend910B",
                                                           "Ascend910_93"};

}  // namespace

const Signature& signature(Operator op) { return kSignatures[static_cast<std::size_t>(op)]; }

int slot(Operator op, std::string_view parameter) {
  for (const Parameter& p : signature(op).parameters) {
    if (p.name == parameter) return p.slot;
  }
  std::abort();  // a misspelt name in our own code
}

std::string_view name(Product product) { return kProductNames[static_cast<std::size_t>(product)]; }

std::vector<std::int64_t> contiguous_strides(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::uint64_t next = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = static_cast<std::int64_t>(next);
    next *= static_cast<std::uint64_t>(shape[axis]);
  }
  return strides;
}

}  // namespace gradproof::ref
