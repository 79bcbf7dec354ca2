/// The gradients' calls as plain structs: what a kernel of each is given.
///
/// Every call is valid by docs/contract.md; docs/formulas.md has the formulas. Tensors always have their full
/// rank in the order N, C, (D,) H, W, whatever rank and format the caller gave; int arrays are
/// spelled out. T is the element type; Call<void> is the same with types known at run time only.
#ifndef GRADPROOF_SUBJECT_CALLS_HPP_
#define GRADPROOF_SUBJECT_CALLS_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "gradproof/subject/view.hpp"

namespace gradproof::subject {

/// Windows of pooling: one number for each spatial axis.
template <int axes>
struct Windows {
  Dims<axes> kernel_size{};  ///< above 0
  Dims<axes> stride{};       ///< above 0; the kernel's extents where the caller gave none
  Dims<axes> padding{};      ///< 0 to half the kernel, on both sides
  Dims<axes> dilation{};     ///< always 1
  bool ceil_mode = false;    ///< a window that is cut off counts
  bool batched = true;       ///< false: the caller's tensors have no N, which is 1 here
};

/// grad_input[n, c].flat[indices(n, c, …)] += grad_output(n, c, …), the rest 0.
template <class T>
struct MaxPool3dWithArgmaxBackward : Windows<3> {
  using Parameters = Windows<3>;        ///< everything but the tensors
  View<const T, 5> grad_output;         ///< [N, C, Do, Ho, Wo]
  View<const std::int32_t, 5> indices;  ///< of its shape: (d·H + h)·W + w, inside the plane
  View<T, 5> grad_input;                ///< [N, C, D, H, W], to be written in full
  /// The tensors in the order of the C function, the result last.
  auto views() { return std::tie(grad_output, indices, grad_input); }
};

/// The same sum without windows.
struct NoWindows {
  bool batched = true;  ///< false: the caller's tensors have no N, which is 1 here
};

/// grad_input[n, c].flat[indices(n, c, …)] += grad_output(n, c, …), the rest 0.
template <class T>
struct AdaptiveMaxPool3dBackward : NoWindows {
  using Parameters = NoWindows;         ///< everything but the tensors
  View<const T, 5> grad_output;         ///< [N, C, Do, Ho, Wo]; may be empty
  View<const std::int32_t, 5> indices;  ///< of its shape: (d·H + h)·W + w, inside the plane
  View<T, 5> grad_input;                ///< [N, C, D, H, W], to be written in full
  /// The tensors in the order of the C function, the result last.
  auto views() { return std::tie(grad_output, indices, grad_input); }
};

/// Windows, and what the 2-D pool's gradient needs beside them.
struct MaskedWindows : Windows<2> {
  /// Only on the product Ascend910, whose gradients of FLOAT are computed in FLOAT16: grad_output
  /// and the finished sums are rounded to it.
  bool through_float16 = false;
};

/// grad_input(n, c, oh·sH − pH + kh, ow·sW − pW + kw) += grad_output(n, c, oh, ow) for each
/// maximum, the rest 0. A window may have no maximum or several.
template <class T>
struct MaxPool2dWithMaskBackward : MaskedWindows {
  using Parameters = MaskedWindows;  ///< everything but the tensors
  View<const T, 4> grad_output;      ///< [N, C, Ho, Wo]
  /// Bytes [N][⌈C/16⌉][kH·kW][P][2] of little-endian words, P ≥ Ho·Wo; see `is_maximum`.
  View<const std::uint8_t, 5> mask;
  /// With GRADPROOF_POSITIONS alone: [N, C, Ho, Wo], the maximum's h·W + w in the input plane.
  View<const std::int32_t, 4> indices;
  View<T, 4> grad_input;  ///< [N, C, H, W], to be written in full
  /// The tensors, the result last.
  auto views() { return std::tie(grad_output, mask, indices, grad_input); }

  /// Whether (kh, kw) is a maximum of the window of (oh, ow); it may be in the padding.
  bool is_maximum(std::int64_t n, std::int64_t c, std::int64_t oh, std::int64_t ow, std::int64_t kh,
                  std::int64_t kw) const {
    const std::int64_t k = kh * kernel_size[1] + kw, p = oh * grad_output.shape[3] + ow;
    return (mask(n, c / 16, k, p, c % 16 / 8) >> c % 8 & 1) != 0;
  }
};

/// How the two images of bilinear upsampling relate.
struct Sampling {
  bool align_corners = false;  ///< the corner pixels' centres coincide
  /// As the caller gave it, and finite: above 0, it counts instead of Ho / H, the extents' ratio, unless
  /// corners are aligned; otherwise a kernel must ignore it. On a product without scales it is 0.
  double scale_h = 0;
  double scale_w = 0;  ///< likewise along W
  bool channels_last = false;  ///< the caller's format is NHWC; here the strides alone tell
};

/// Gives each element of grad_out to its four neighbours in out, with bilinear weights.
template <class T>
struct UpsampleBilinear2dBackward : Sampling {
  using Parameters = Sampling;  ///< everything but the tensors
  View<const T, 4> grad_out;    ///< [N, C, Ho, Wo]
  View<T, 4> out;               ///< [N, C, H, W], to be written in full
  /// The tensors in the order of the C function, the result last.
  auto views() { return std::tie(grad_out, out); }
};

/// How much was padded, below 0: cropped.
struct Padding {
  std::int64_t left = 0;    ///< in elements
  std::int64_t right = 0;   ///< in elements
  std::int64_t top = 0;     ///< in elements
  std::int64_t bottom = 0;  ///< in elements
  bool batched = true;      ///< false: the caller's tensors have no N, which is 1 here
};

/// grad_input(n, c, clamp(i − top), clamp(j − left)) += grad_output(n, c, i, j), the rest 0.
template <class T>
struct ReplicationPad2dBackward : Padding {
  using Parameters = Padding;    ///< everything but the tensors
  View<const T, 4> grad_output;  ///< [N, C, H + top + bottom, W + left + right]
  View<T, 4> grad_input;         ///< [N, C, H, W], to be written in full
  /// The tensors in the order of the C function, the result last.
  auto views() { return std::tie(grad_output, grad_input); }
};

namespace detail {
template <class A, class B, int rank>
void assign(View<A, rank>& to, const View<B, rank>& from) {
  to.data = static_cast<A*>(from.data);
  to.shape = from.shape;
  to.strides = from.strides;
  to.type = from.type;
  to.offset = from.offset;
  to.storage = from.storage;
}

template <class To, class From, std::size_t... i>
void assign_all(To to, From from, std::index_sequence<i...>) {
  (assign(std::get<i>(to), std::get<i>(from)), ...);
}
}  // namespace detail

/// The same call with its element type in C++, which must be the one that it has.
template <class T, template <class> class Call>
Call<T> typed(Call<void> call) {
  Call<T> result;
  static_cast<typename Call<T>::Parameters&>(result) = call;
  constexpr std::size_t count = std::tuple_size_v<decltype(call.views())>;
  detail::assign_all(result.views(), call.views(), std::make_index_sequence<count>{});
  return result;
}

}  // namespace gradproof::subject

#endif
