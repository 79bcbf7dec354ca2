/// The gradients, a row each: what is known of one besides its struct; for the kit's own use.
#ifndef GRADPROOF_SUBJECT_GRADIENTS_HPP_
#define GRADPROOF_SUBJECT_GRADIENTS_HPP_

#include <complex>
#include <string_view>

#include "gradproof/subject/calls.hpp"

/// The gradients in one list: X(stem, struct) for each. A new one goes to the end.
#define GRADPROOF_GRADIENTS(X)                                    \
  X(max_pool3d_with_argmax_backward, MaxPool3dWithArgmaxBackward) \
  X(max_pool2d_with_mask_backward, MaxPool2dWithMaskBackward)     \
  X(upsample_bilinear2d_backward, UpsampleBilinear2dBackward)     \
  X(replication_pad2d_backward, ReplicationPad2dBackward)         \
  X(adaptive_max_pool3d_backward, AdaptiveMaxPool3dBackward)

// The structs by their stems, for macros that are given one.
#define GRADPROOF_STRUCT_max_pool3d_with_argmax_backward \
  ::gradproof::subject::MaxPool3dWithArgmaxBackward
#define GRADPROOF_STRUCT_max_pool2d_with_mask_backward \
  ::gradproof::subject::MaxPool2dWithMaskBackward
#define GRADPROOF_STRUCT_upsample_bilinear2d_backward \
  ::gradproof::subject::UpsampleBilinear2dBackward
#define GRADPROOF_STRUCT_replication_pad2d_backward ::gradproof::subject::ReplicationPad2dBackward
#define GRADPROOF_STRUCT_adaptive_max_pool3d_backward \
  ::gradproof::subject::AdaptiveMaxPool3dBackward

namespace gradproof::subject::detail {

#define GRADPROOF_IS_STEM(stem, Struct) || name == #stem
/// Whether there is a gradient of that name.
constexpr bool is_operator(std::string_view name) {
  return false GRADPROOF_GRADIENTS(GRADPROOF_IS_STEM);
}
#undef GRADPROOF_IS_STEM

#define GRADPROOF_NAMED(stem, Struct) " " #stem
/// Does not compile for a misspelt operator, and lists those that there are.
template <bool known>
struct Known {
  static_assert(known, "unknown operator; operators:" GRADPROOF_GRADIENTS(GRADPROOF_NAMED));
  static constexpr bool value = true;
};
#undef GRADPROOF_NAMED

template <class... T>
struct Types {};
using RealTypes = Types<float, Half, Bfloat16>;

/// A gradient's row. `Elements` are the element types that it has; then for each of its views(), in
/// their order, the name by which processes know it (docs/pipe.md), and which tensor of phase 1 it
/// is: -1 is none of them.
template <template <class> class Op>
struct Gradient;

template <>
struct Gradient<MaxPool3dWithArgmaxBackward> {
  using Elements = RealTypes;
  static constexpr const char* names[] = {"grad_output", "indices", "grad_input"};
  static constexpr int slots[] = {0, 2, 3};
};
template <>
struct Gradient<MaxPool2dWithMaskBackward> {
  using Elements = RealTypes;
  static constexpr const char* names[] = {"grad_output", "mask", "indices", "grad_input"};
  static constexpr int slots[] = {0, 2, -1, 3};
};
template <>
struct Gradient<UpsampleBilinear2dBackward> {
  using Elements = RealTypes;
  static constexpr const char* names[] = {"grad_out", "out"};
  static constexpr int slots[] = {0, 1};
};
template <>
struct Gradient<ReplicationPad2dBackward> {
  using Elements = Types<float, Half, double, std::complex<float>, std::complex<double>>;
  static constexpr const char* names[] = {"grad_output", "grad_input"};
  static constexpr int slots[] = {0, 2};
};
template <>
struct Gradient<AdaptiveMaxPool3dBackward> {
  using Elements = RealTypes;
  static constexpr const char* names[] = {"grad_output", "indices", "grad_input"};
  static constexpr int slots[] = {0, 2, 3};
};

// f(name, value) for each parameter, by the names that processes know.
template <int axes, class F>
void each_parameter(const Windows<axes>& of, F f) {
  f("kernel_size", of.kernel_size);
  f("stride", of.stride);
  f("padding", of.padding);
  f("dilation", of.dilation);
  f("ceil_mode", of.ceil_mode);
  f("batched", of.batched);
}
template <class F>
void each_parameter(const MaskedWindows& of, F f) {
  each_parameter(static_cast<const Windows<2>&>(of), f);
  f("through_float16", of.through_float16);
}
template <class F>
void each_parameter(const NoWindows& of, F f) {
  f("batched", of.batched);
}
template <class F>
void each_parameter(const Sampling& of, F f) {
  f("align_corners", of.align_corners);
  f("scale_h", of.scale_h);
  f("scale_w", of.scale_w);
  f("channels_last", of.channels_last);
}
template <class F>
void each_parameter(const Padding& of, F f) {
  f("left", of.left);
  f("right", of.right);
  f("top", of.top);
  f("bottom", of.bottom);
  f("batched", of.batched);
}

}  // namespace gradproof::subject::detail

#endif
