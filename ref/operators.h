// What the operators' definitions share. Each evaluates one plane, in a file of its stem.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "ref/exact.h"

namespace gradproof::ref {

/// What a definition is given: a valid call and the dense data of its read tensors by slot.
struct Task {
  const Call& call;
  std::span<const Dense> inputs;
  int output_slot;
  std::int64_t plane;  ///< (n, c) as n·C + c
  const Numerics& numerics;
};

/// Adds a term to an element.
inline void add(Exact& e, long double term) {
  e.value += term;
  if (std::isfinite(term)) e.magnitude += std::fabs(term);
  ++e.terms;
}

/// The value of an element that is selected or copied.
inline Exact chosen(long double value) {
  Exact e;
  add(e, value);
  return e;
}

/// Product of extents; 0 if one is 0, however large the others are.
inline std::int64_t product(std::span<const std::int64_t> extents) {
  if (std::ranges::find(extents, 0) != extents.end()) return 0;
  std::int64_t p = 1;
  for (std::int64_t e : extents) p *= e;
  return p;
}

/// How a plane lies in a row-major tensor: element k stands at first + k·step.
struct PlanePlace {
  std::int64_t first = 0, step = 1, count = 0;
};
/// Plane `index` of a tensor whose last `axes` dimensions are the plane.
PlanePlace plane_of(std::span<const std::int64_t> shape, std::size_t axes, std::int64_t index);

/// All components of a plane's elements, element by element.
std::vector<long double> load_plane(const Dense& tensor, const PlanePlace& place);

/// Gradient of any pool with INT32 indices: terms go where the indices say.
Plane scatter_by_index(const Task& task);

/// Every step-th position of [from, to) of an axis: what a pooling window covers.
struct Range {
  std::int64_t from = 0, to = 0, step = 1;
};
/// The windows of the three pooled axes, one range for each output position.
using Ranges3 = std::array<std::vector<Range>, 3>;
/// Windows with kernel, stride and padding; a 2-D pool has one range [0, 1) for its depth.
Ranges3 window_ranges(const Call& call, std::span<const std::int64_t> pooled_shape);
/// Adaptive windows: l of m over extent n is [⌊l·n/m⌋, ⌈(l+1)·n/m⌉).
Ranges3 adaptive_ranges(const Call& call, std::span<const std::int64_t> pooled_shape);
/// Flat position of the maximum of every window of a plane, in output order: the first in window
/// order (d, h, w), the first NaN if there is one; the last ones where the numerics say so. Padding
/// is never chosen.
std::vector<std::int64_t> argmax_plane(std::span<const long double> plane,
                                       std::span<const std::int64_t> self_shape,
                                       const Ranges3& ranges, const Numerics& numerics = {});
/// A forward's plane of maxima or of their positions, as the output slot asks.
Plane select_by_index(const Task& task, const Ranges3& ranges);

/// Where a mask's bits are: uint16 mask[N][⌈C/16⌉][kH·kW][positions], little-endian.
struct MaskLayout {
  std::int64_t channels, kernel_h, kernel_w, outputs, positions;
  MaskLayout(const Call& call, std::span<const std::int64_t> pooled_shape);
  /// How many groups one sample has. 16 channels are a group and share bytes.
  std::int64_t groups() const { return (channels + 15) / 16; }
  /// As many bytes as one plane of the mask has. The groups fill the first planes.
  std::int64_t group_bytes() const { return kernel_h * kernel_w * positions * 2; }
  std::int64_t byte(std::int64_t plane, std::int64_t k, std::int64_t p) const {
    const std::int64_t n = plane / channels, c = plane % channels;
    return (n * groups() + c / 16) * group_bytes() + (k * positions + p) * 2 + c % 16 / 8;
  }
  int bit(std::int64_t plane) const { return static_cast<int>(plane % channels % 8); }
};
/// Plane `index` of the mask that the forward writes for `self`: a group, or zeros.
std::vector<std::byte> mask_plane(const Call& call, const Dense& self,
                                  std::span<const std::int64_t> pooled_shape, std::int64_t index,
                                  const Numerics& numerics = {});

/// One axis of bilinear interpolation.
struct Tap {
  std::int64_t at = 0;  ///< position in the small image
  double weight = 0;    ///< 0: reached only in another way of computing
  bool sure = false;    ///< the weight is not 0 even if coordinates are computed otherwise
  bool near = true;     ///< has a weight, or may have one then; else a neighbour of weight 0
};
/// How far apart in the small image two neighbours of the large one are. 1/scale may be infinite.
double axis_step(std::int64_t n_in, std::int64_t n_out, bool align_corners, double scale);
/// The taps of every position of the large image, and what they may be if coordinates are computed
/// otherwise in the type `coordinates` (Numerics; undefined: FLOAT).
std::vector<std::vector<Tap>> bilinear_taps(std::int64_t n_in, std::int64_t n_out,
                                            bool align_corners, double scale,
                                            std::int32_t coordinates = kDtypeUndefined);
/// Bound of the error of one axis' weights if coordinates are computed in the type, in any order.
double axis_weight_error(std::int64_t n_in, std::int32_t coordinates);
/// Adds factor·λh·λw to an element, or notes it as near if a weight is 0.
void add_weighted(Exact& e, const Tap& h, const Tap& w, long double factor);

/// The images of an upsampling call, both plane by plane.
struct Images {
  std::int64_t in_h, in_w, out_h, out_w;
  PlanePlace small, large;
};
Images images(const Call& call, std::int64_t plane);
/// The taps of both axes, of height first.
std::array<std::vector<std::vector<Tap>>, 2> taps_of_axes(const Task& task, const Images& im);

}  // namespace gradproof::ref
