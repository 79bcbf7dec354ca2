// The sentences.
#include "props/cli/class_sentences.h"

#include <algorithm>
#include <iterator>

namespace gradproof::cli {
namespace {

struct Sentence {
  std::string_view label, says;
};

constexpr Sentence kSentences[] = {
    {"all-contiguous", "Every tensor is contiguous and begins at offset 0."},
    {"null-strides", "A tensor is created without strides."},
    {"offset-input", "An input starts after the beginning of its storage."},
    {"offset-output", "The output starts after the beginning of its storage."},
    {"strided-input", "An input has gaps: unused elements between its elements."},
    {"strided-output", "The output has gaps: unused elements between its elements."},
    {"transposed-input",
     "An input's axes have a different order in memory, such as channels last."},
    {"transposed-output", "The output's axes have a different order in memory."},
    {"broadcast-input", "An input has stride 0 on an axis that is longer than 1."},
    {"overlapping-input", "An input's elements share memory without a stride of 0."},
    {"extent-1-odd-stride",
     "An axis of extent 1 has a stride other than that of a contiguous tensor."},
    {"storage-larger", "A storage has more elements than its tensor needs."},
    {"self-shares-gradInput", "self and gradInput share memory."},
    {"self-null-data", "self has a null data pointer; the gradient does not read self."},
    {"empty", "A tensor has no elements."},
    {"distinct-extents", "No two extents of the input are equal."},
    {"equal-spatial-extents", "The spatial extents are equal and above 1."},
    {"extent-1", "An extent of the input is 1."},
    {"first-extent-1", "The input's first extent is 1."},
    {"extent-over-64", "An extent of the input is above 64."},
    {"extent-over-256", "An extent of the input is above 256."},
    {"planes-over-65535", "The input has more than 65535 planes: samples times channels."},
    {"ceil", "ceilMode is true."},
    {"ceil-with-remainder", "ceilMode is true and the windows do not divide an axis evenly."},
    {"ceil-drops-window",
     "ceilMode would add a window that starts after the input; it is dropped."},
    {"floor-with-remainder", "ceilMode is false and the windows do not divide an axis evenly."},
    {"exact-division", "The windows divide every axis evenly."},
    {"windows-overlap", "The stride is less than the window on an axis."},
    {"windows-touch", "The stride is equal to the window on every axis."},
    {"windows-with-gaps", "The stride is larger than the window on an axis."},
    {"window-larger-than-input",
     "A window is longer than the input on an axis; padding makes it fit."},
    {"padding-0", "No axis is padded."},
    {"padding-largest", "The padding of an axis is half the window, the maximum."},
    {"distinct-kernels", "The window has a different extent on each axis."},
    {"kernelSize-length-1", "kernelSize has one value for all axes."},
    {"kernelSize-per-axis", "kernelSize has a value for each axis."},
    {"stride-length-0", "stride is empty: the window's extents are the strides."},
    {"stride-length-1", "stride has one value for all axes."},
    {"stride-per-axis", "stride has a value for each axis."},
    {"padding-length-1", "padding has one value for all axes."},
    {"padding-per-axis", "padding has a value for each axis."},
    {"kernel-over-64", "The window has more than 64 positions."},
    {"stride-over-64", "The stride of an axis of two windows or more is above 64."},
    {"channels-over-16", "There are more than 16 channels."},
    {"resize-up", "The output is longer than the input on an axis."},
    {"resize-down", "The output is shorter than the input on an axis."},
    {"resize-by-whole-factor", "The larger extent of an axis is a multiple of the smaller one."},
    {"same-extents", "Input and output have the same extents."},
    {"from-1", "An axis of extent 1 is enlarged."},
    {"to-1", "An axis is reduced to extent 1."},
    {"only-output-empty", "The output is empty and the input is not."},
    {"align-corners", "alignCorners is true."},
    {"half-pixel", "alignCorners is false."},
    {"scale-0", "A scale is 0: it is computed from the extents."},
    {"scale-consistent", "A scale fits the output's extent."},
    {"scale-between-sizes",
     "A scale fits the output's extent, but is not the ratio of the extents."},
    {"scale-inconsistent", "A scale does not fit the output's extent."},
    {"scale-without-effect",
     "A scale other than the extents' ratio, on a product that ignores scales."},
    {"scale-negative", "A scale is negative."},
    {"scale-extreme", "A scale is above 1e100, or positive and below 1e-100."},
    {"padding-all-0", "No side is padded."},
    {"padding-positive", "Every side is padded."},
    {"padding-negative", "A side is cropped."},
    {"padding-asymmetric", "The two sides of an axis are padded differently."},
    {"padding-distinct", "Each side has a different padding."},
    {"padding-at-limit", "The padding of a side is one less than the extent, the maximum."},
    {"cropped-to-1", "An axis is cropped to extent 1."},
    {"data-integers", "The gradient contains small whole numbers, whose sums are exact."},
    {"data-uniform", "The gradient contains uniformly distributed numbers."},
    {"data-normal", "The gradient contains normally distributed numbers."},
    {"data-constant", "All elements of the gradient are equal."},
    {"data-powers", "The gradient contains powers of two of all magnitudes, which cancel."},
    {"data-special",
     "The gradient also contains NaN, infinities, zeros of both signs and subnormal numbers."},
    {"data-zeros_and_ones", "The gradient contains zeros and ones."},
    {"indices-forward", "The indices or masks are those that the forward operator returns."},
    {"indices-in_range",
     "The indices are positions anywhere in the plane, inside their windows or not."},
    {"indices-one_bad", "One index is outside the plane; the stream must report it."},
    {"misuse-null_executor", "Phase 2 gets no executor."},
    {"misuse-null_workspace", "Phase 2 gets no workspace although phase 1 requires one."},
    {"misuse-small_workspace", "Phase 2 gets a workspace that is one byte too small."},
    {"misuse-null_data", "A tensor that phase 2 reads or writes has a null data pointer."},
    {"misuse-consumed_executor", "Phase 2 gets an executor that was used before."},
    {"misuse-destroyed_executor", "Phase 2 gets an executor that was destroyed."},
    {"misuse-foreign_executor", "Phase 2 gets an executor of another operator."},
    {"misuse-unknown_executor", "Phase 2 gets a pointer that is not an executor."},
    {"misuse-dead_stream", "Phase 2 gets a stream that was destroyed."},
};

}  // namespace

std::string_view class_sentence(std::string_view label) {
  const auto at = std::find_if(std::begin(kSentences), std::end(kSentences),
                               [&](const Sentence& one) { return one.label == label; });
  return at == std::end(kSentences) ? "" : at->says;
}

}  // namespace gradproof::cli
