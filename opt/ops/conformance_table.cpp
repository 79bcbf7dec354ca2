// Where CANN differs from the operators' documents: the rows that conformance.h asks and
// docs/conformance.md is made from.
//
// Facts about CANN are those noted from public sources; where nothing is known but a program relies
// on an answer, the source says "not known".
#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "aclnn/aclnn_base.h"
#include "opt/ops/conformance.h"
#include "opt/ops/element.h"
#include "opt/ops/pool2d.h"
#include "opt/ops/view.h"

namespace gradproof::ops {
namespace {

using Apis = std::span<const char* const>;

constexpr const char* kArgmax[] = {"aclnnMaxPool3dWithArgmaxBackward"};
constexpr const char* kArgmaxForward[] = {"aclnnMaxPool3dWithArgmax"};
constexpr const char* kAdaptive[] = {"aclnnAdaptiveMaxPool3dBackward"};
constexpr const char* kMask[] = {"aclnnMaxPool2dWithMaskBackward"};
constexpr const char* kMaskBoth[] = {"aclnnMaxPool2dWithMaskBackward", "aclnnMaxPool2dWithMask"};
constexpr const char* kPad[] = {"aclnnReplicationPad2dBackward"};
// Nothing is known of the first version by itself: it goes as the second, but for the scales.
constexpr const char* kUpsample[] = {"aclnnUpsampleBilinear2dBackwardV2",
                                     "aclnnUpsampleBilinear2dBackward"};
constexpr const char* kUpsampleAll[] = {"aclnnUpsampleBilinear2dBackwardV2",
                                        "aclnnUpsampleBilinear2dBackward",
                                        "aclnnUpsampleBilinear2d"};
constexpr const char* kScaled[] = {"aclnnUpsampleBilinear2dBackwardV2", "aclnnUpsampleBilinear2d"};
constexpr const char* kIndexed[] = {"aclnnMaxPool3dWithArgmaxBackward",
                                    "aclnnAdaptiveMaxPool3dBackward"};
constexpr const char* kPools[] = {"aclnnMaxPool3dWithArgmaxBackward",
                                  "aclnnAdaptiveMaxPool3dBackward",
                                  "aclnnMaxPool2dWithMaskBackward"};
constexpr const char* kGradients[] = {
    "aclnnMaxPool3dWithArgmaxBackward", "aclnnAdaptiveMaxPool3dBackward",
    "aclnnMaxPool2dWithMaskBackward",   "aclnnUpsampleBilinear2dBackwardV2",
    "aclnnUpsampleBilinear2dBackward",  "aclnnReplicationPad2dBackward"};

constexpr Products bit(Product product) {
  return static_cast<Products>(1 << static_cast<int>(product));
}
constexpr Products kA2A3 = bit(Product::Ascend910B) | bit(Product::Ascend910_93);
constexpr Products kOld = bit(Product::Ascend910) | bit(Product::Ascend310P);
constexpr Products kEvery = kA2A3 | kOld;

constexpr Verdict kRefused{};
constexpr Verdict kTaken{Answer::taken, 0, false};
constexpr Verdict kNothing{Answer::nothing, 0, false};
constexpr Verdict kInner{Answer::refused, ACLNN_ERR_INNER_NULLPTR, false};
constexpr Verdict kLater{Answer::later, ACLNN_ERR_INNER_NULLPTR, false};
constexpr Verdict kNullptr{Answer::refused, ACLNN_ERR_PARAM_NULLPTR, false};
constexpr Verdict kRefusedWritten{Answer::refused, 0, true};

constexpr Applies kAlways;

constexpr char kNoted[] = "noted from public sources on CANN";
constexpr char kSafe[] = "noted: CANN does not check, and the behaviour is undefined; refused here";

template <class... Formats>
bool among(aclFormat format, Formats... formats) {
  return ((format == formats) || ...);
}

/// The tensor's format is the call's, as CANN compares it, and one of these.
template <aclFormat... formats>
bool same_format(const Call& call, const TensorArgument& tensor) {
  return among(tensor->format, formats...) && tensor->format == call.tensors.front()->format;
}

bool mixed_formats(const Call& call, const TensorArgument& tensor) {
  return tensor->format != call.tensors.front()->format;
}

/// Neither private nor unknown, and not the other tensors'.
bool other_open_format(const Call& call, const TensorArgument& tensor) {
  return mixed_formats(call, tensor) &&
         among(tensor->format, ACL_FORMAT_NCHW, ACL_FORMAT_NHWC, ACL_FORMAT_ND, ACL_FORMAT_HWCN,
               ACL_FORMAT_NDHWC, ACL_FORMAT_NCDHW, ACL_FORMAT_NC, ACL_FORMAT_NCL);
}

/// The rank of self. A rank of 4 or 5 is refused only where gradOutput has another one.
bool rank_of_pools(const Call&, const TensorArgument& tensor) {
  return tensor.rank() == 4 || tensor.rank() == 5;
}

bool wrong_format_for_rank3d(const Call&, const TensorArgument& tensor) {
  const aclFormat f = tensor->format;
  return tensor.rank() == 5 ? among(f, ACL_FORMAT_NCHW, ACL_FORMAT_NHWC, ACL_FORMAT_NCL)
                            : among(f, ACL_FORMAT_NCDHW, ACL_FORMAT_NDHWC, ACL_FORMAT_NCL);
}

bool zero_extent(const Call&, const TensorArgument& tensor) {
  const auto& shape = tensor->shape;
  return std::ranges::none_of(shape, [](std::int64_t e) { return e < 0; }) &&
         std::ranges::find(shape, 0) != shape.end();
}

/// An empty batch, and nothing else that is empty.
bool no_samples(const Call& call, const TensorArgument& tensor) {
  return zero_extent(call, tensor) && tensor.rank() == 5 &&
         std::ranges::count(tensor->shape, 0) == 1 && tensor->shape[0] == 0;
}

bool dilated(const Call&, const ArrayArgument& dilation) {
  return std::ranges::none_of(dilation.array->values, [](std::int64_t v) { return v < 1; });
}

/// The gradient's extents are inputSize: there is nothing to scale.
bool unscaled(const Call& call) {
  return call.tensors.front()->shape == call.arrays.back().array->values;
}
bool unscaled_known_type(const Call& call, const TensorArgument& tensor) {
  return unscaled(call) && element_size(tensor->dtype) > 0;
}

/// N or C is 0, and neither H nor W.
bool no_samples_or_channels(const Call& call, std::span<const std::int64_t> extents) {
  const std::size_t channel = call.tensors.front()->format == ACL_FORMAT_NHWC ? 3 : 1;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::int64_t least = i == 0 || i == channel ? 0 : 1;
    if (extents[i] < least) return false;
  }
  return extents[0] == 0 || extents[channel] == 0;
}
/// Where any rank of `out` is accepted, any of its extents may be 0.
bool tensor_without_samples(const Call& call, const TensorArgument& tensor) {
  return tensor.rank() == 4 ? no_samples_or_channels(call, tensor->shape)
                            : zero_extent(call, tensor);
}
bool size_without_samples(const Call& call, const ArrayArgument& size) {
  return no_samples_or_channels(call, size.array->values);
}

bool samples_or_channels(const Call& call, const TensorArgument& tensor) {
  const TensorArgument& self = call.tensors[1];
  for (int axis = 0; axis < self.rank() - 2; ++axis) {  // all have one rank
    if (tensor->shape[axis] != self->shape[axis]) return true;
  }
  return false;
}

/// A mismatch of N or C alone, where every extent of the plane divides.
bool divisible_mismatch(const Call& call) {
  const TensorArgument &pooled = call.tensors[0], &self = call.tensors[1];
  for (int axis = self.rank() - 3; axis < self.rank(); ++axis) {
    if (pooled->shape[axis] < 1 || self->shape[axis] % pooled->shape[axis] != 0) return false;
  }
  return true;
}

bool bf16_of_small_padding(const Call& call, const TensorArgument& tensor) {
  const ArrayArgument& padding = call.arrays[0];
  // perhaps uncovered: two edits
  if (tensor->dtype != ACL_BF16 || padding.size() != 4) return false;
  if (call.tensors.front()->dtype != ACL_BF16) return false;
  return (padding[2] == 0 && padding[3] == 0) ||
         std::ranges::all_of(padding.array->values, [](std::int64_t p) { return p <= 7; });
}

bool undefined_format(const Call&, const TensorArgument& tensor) {
  return tensor->format == ACL_FORMAT_UNDEFINED;
}

bool contiguous_view(const Call&, const TensorArgument& a) { return contiguous(*a.tensor); }
bool inside_view(const Call&, const TensorArgument& a) { return within_storage(*a.tensor); }
bool outside_view(const Call&, const TensorArgument& a) { return !within_storage(*a.tensor); }

constexpr Difference kTable[] = {
    // All gradients.
    {kGradients, "view", "", kEvery, contiguous_view, kRefused, kTaken,
     "a contiguous view that reaches beyond its storage; a negative offset or storage extent",
     "noted; phase 2 runs only if all of the memory is from aclrtMalloc, else it returns 161002"},
    {kGradients, "view", "", kEvery, outside_view, kRefused, kInner,
     "a strided view outside its storage, also of `self`", kNoted},
    {kGradients, "view", "", kEvery, inside_view, kRefused, kTaken,
     "negative strides that stay inside the storage; a strided mask", kNoted},
    {kGradients, "output-overlap", "", kEvery, kAlways, kRefused, kTaken,
     "an output that overlaps itself",
     "noted; computed in a buffer and stored in row-major order, so that the last value remains"},
    {kGradients, "alias", "", kEvery, kAlways, kRefused, kTaken,
     "an output that shares memory with an input",
     "noted; computed in a buffer and stored at the end"},

    // MaxPool3dWithArgmaxBackward.
    {kArgmax, "format", "indices", kA2A3, other_open_format, kRefused, kTaken,
     "indices with a different format than the other tensors", kNoted},
    {kArgmax, "format", "", kA2A3, wrong_format_for_rank3d, kRefused, kInner,
     "rank 5 with NCHW, NHWC or NCL; rank 4 with NCDHW, NDHWC or NCL", kNoted},
    {kArgmax, "format", "", kA2A3,
     same_format<ACL_FORMAT_NDHWC, ACL_FORMAT_NHWC, ACL_FORMAT_HWCN, ACL_FORMAT_NC>, kRefused,
     kTaken, "NDHWC; for rank 4 NHWC; HWCN, NC", "noted; computed in the order of the dimensions"},
    {kArgmax, "rank", "self", kA2A3, rank_of_pools, kRefused, kInner,
     "ranks of gradOutput and self differ", kNoted},
    {kArgmax, "dim-value", "", kA2A3, zero_extent, kRefused, kNothing,
     "an empty tensor: workspace 0, nothing is written", kNoted},
    {kArgmax, "dilation-value", "dilation", kA2A3, dilated, kRefused, kTaken,
     "dilation above 1: extents by dilated windows", kNoted},
    {kArgmax, "shape", "gradOutput", kA2A3, kAlways, kRefused, kLater,
     "wrong pooled extents, no window, another N or C", kNoted},

    {kArgmaxForward, "dim-value", "", kA2A3, no_samples, kRefused, kNothing,
     "an empty batch: workspace 0, nothing is written",
     "not known; torch_npu passes it, and its gradient is accepted"},

    // AdaptiveMaxPool3dBackward.
    {kAdaptive, "format", "", kA2A3, mixed_formats, kRefused, kRefused,
     "tensors of different formats", "noted: CANN compares them too"},
    {kAdaptive, "format", "", kA2A3, wrong_format_for_rank3d, kRefused, kInner,
     "rank 5 with NCHW; rank 4 with NCDHW",
     "noted for these two; NHWC, NCL, NDHWC by analogy with MaxPool3dWithArgmaxBackward"},
    {kAdaptive, "format", "", kA2A3,
     same_format<ACL_FORMAT_NDHWC, ACL_FORMAT_HWCN, ACL_FORMAT_NC, ACL_FORMAT_UNDEFINED>, kRefused,
     kTaken, "NDHWC, HWCN, NC, UNDEFINED", "noted; computed in the order of the dimensions"},
    {kAdaptive, "empty-tensor", "", kA2A3, kAlways, kTaken, kNothing,
     "an empty tensor: nothing is written; the documents require zeros for an empty "
     "gradOutput",
     kNoted},
    {kAdaptive, "dim-value", "", kA2A3, zero_extent, kRefused, kNothing,
     "an empty self with a non-empty gradOutput", kNoted},
    {kAdaptive, "shape", "self", kA2A3, divisible_mismatch, kRefused, kLater,
     "another N or C if the extents of the plane divide", kNoted},

    // MaxPool2dWithMaskBackward.
    {kMaskBoth, "format", "indices", kEvery, other_open_format, kRefused, kTaken,
     "a mask with a different format than the other tensors",
     "not known; mindtorch_v2 passes ND beside NCHW"},
    // Nothing else with these formats is refused (accepts() in pool2d.cpp).
    {kMask, "format", "", kEvery, same_format<ACL_FORMAT_NCHW>, kTaken, kInner, "rank 3 with NCHW",
     kNoted},
    {kMask, "format", "", kEvery, same_format<ACL_FORMAT_NCL>, kTaken, kInner, "rank 4 with NCL",
     kNoted},
    {kMask, "format", "", kEvery, same_format<ACL_FORMAT_ND>, kTaken, kInner,
     "rank 4 with ND on Ascend910, or with a 1 x 1 kernel", kNoted},
    {kMask, "format", "", kA2A3, same_format<ACL_FORMAT_NHWC>, kRefused, kTaken, "NHWC",
     "noted; computed as NCHW"},
    {kMask, "format", "", kEvery, same_format<ACL_FORMAT_HWCN, ACL_FORMAT_NC, ACL_FORMAT_UNDEFINED>,
     kRefused, kTaken, "HWCN, NC, UNDEFINED", "noted; computed in the order of the dimensions"},
    {kMask, "format", "", kEvery, same_format<ACL_FORMAT_NHWC, ACL_FORMAT_NCDHW, ACL_FORMAT_NDHWC>,
     kRefused, kInner, "NCDHW, NDHWC; NHWC on Ascend910", kNoted},
    {kMask, "array-length", "kernelSize", kEvery, kAlways, kRefused, kNullptr,
     "kernelSize of length 0, 3 or more", kNoted},
    {kMask, "shape", "indices", kEvery, kAlways, kRefused, kTaken, "a mask of another shape",
     "noted; windows beyond the end of the mask have no maximum"},

    // UpsampleBilinear2dBackwardV2.
    {kUpsample, "dtype", "", kOld, unscaled_known_type, kRefused, kTaken,
     "any type, where gradOut has the extents of inputSize", "noted; nothing is computed there"},
    {kUpsample, "format", "", kOld, unscaled, kRefused, kTaken,
     "any format, where gradOut has the extents of inputSize", "noted; nothing is computed there"},
    {kUpsample, "rank", "out", kOld, unscaled, kRefused, kTaken,
     "any rank of out, where gradOut has the extents of inputSize",
     "noted; nothing is computed there"},
    {kUpsample, "same-extents", "", kOld, unscaled, kTaken, kNothing,
     "gradOut with the extents of inputSize: out is unchanged, whatever its extents", kNoted},
    {kUpsampleAll, "format", "", kEvery, same_format<ACL_FORMAT_ND>, kRefused, kTaken,
     "ND for all tensors", "not known; mindtorch_v2 passes it; computed as NCHW"},
    {kUpsample, "dim-value", "", kEvery, tensor_without_samples, kRefused, kNothing,
     "N or C is 0; where any rank of `out` is accepted, also an empty `out` of another rank than 4",
     "noted for rank 4; not known for others"},
    {kUpsample, "size-value", "inputSize", kEvery, size_without_samples, kRefused, kTaken,
     "inputSize with N or C of 0", kNoted},
    {kUpsample, "size-value", "scalesH", kEvery, kAlways, kRefused, kTaken, "scalesH not finite",
     kNoted},
    {kUpsample, "size-value", "scalesW", kEvery, kAlways, kRefused, kTaken, "scalesW not finite",
     kNoted},
    {kUpsample, "int32-extent", "", kEvery, kAlways, kTaken, kRefused, "an extent of 2^31 or more",
     kNoted},

    // ReplicationPad2dBackward.
    {kPad, "dtype", "", kEvery, bf16_of_small_padding, kRefused, kTaken,
     "BF16, where top and bottom are 0 or all paddings are at most 7", kNoted},
    {kPad, "format", "", kEvery, undefined_format, kRefused, kInner, "UNDEFINED", kNoted},
    {kPad, "dim-value", "gradOutput", kEvery, zero_extent, kRefused, kNothing,
     "cropping to an empty gradOutput: gradInput is not written", kNoted},
    {kPad, "empty-channels", "", kEvery, kAlways, kTaken, kRefusedWritten,
     "rank 3 with C = 0: refused after *workspaceSize was written", kNoted},
    {kPad, "padding-value", "padding", kEvery, kAlways, kRefused, kTaken,
     "padding as large as the extent or larger", "noted: checked for reflection only"},
    {kPad, "shape", "gradOutput", kEvery, samples_or_channels, kRefused, kInner, "another N or C",
     kNoted},

    // What neither takes.
    {kPools, "format", "", kEvery, kAlways, kRefused, kInner, "any other format",
     "noted: 0 or 561103, by an out-of-bounds look-up; refused here"},
    {kGradients, "dim-value", "", kEvery, kAlways, kRefused, kRefused,
     "negative extents, element counts beyond int64", kSafe},
};

bool mask_of_positions(const Call& call) { return !one_by_one(call); }

constexpr WayDifference kWays[] = {
    {Way::mask_positions, kMaskBoth, kA2A3, mask_of_positions, "the mask, kernel other than 1 x 1",
     "bits (contract.md)", "N·C·Ho·Wo INT32 flat positions h·W + w at the start of its buffer",
     "noted; the forward writes them too"},
    {Way::mask_buffer, kMaskBoth, kEvery, nullptr, "offset and strides of the mask",
     "the view is read", "ignored: the buffer is read from its data pointer", kNoted},
    {Way::drops_indices, kIndexed, kEvery, nullptr,
     "an index outside its window or outside the plane",
     "used; outside the plane: 507035 when the stream is synchronised",
     "its contribution is omitted",
     "noted for the normal kernel; other kernels write unchecked, which is not done here"},
    {Way::fitting_scales, kScaled, kA2A3, nullptr, "scalesH, scalesW without alignCorners",
     "each scale above 0 is used", "used if out = ⌊in·scale⌋ on both axes, else both are ignored",
     "noted for the gradient; not known for the forward, which remains its adjoint"},
};

}  // namespace

std::span<const Difference> differences() { return kTable; }
std::span<const WayDifference> ways() { return kWays; }

}  // namespace gradproof::ops
