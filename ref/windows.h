// Pooling windows: the int arrays of a pooling call spread to the axes, and the pooled extent.
#pragma once

#include <cstdint>
#include <vector>

#include "ref/rules_internal.h"

namespace gradproof::ref {

/// A pooling axis; kernel, stride and dilation at least 1.
struct WindowAxis {
  std::int64_t in = 0, kernel = 1, stride = 1, pad = 0, dilation = 1;
};

/// Element `axis` of an array of length 1 (meant for every axis) or one per axis.
inline std::int64_t spread(const IntArray& array, std::size_t axis) {
  return array.values[array.values.size() == 1 ? 0 : axis];
}

/// The last `axes` dimensions of `self` with their windows; an empty stride array means the
/// kernel's.
inline std::vector<WindowAxis> window_axes(const Call& call, std::size_t axes) {
  const IntArray& kernel = int_array(call, "kernelSize");
  const IntArray& stride = int_array(call, "stride");
  const std::vector<std::int64_t>& self = tensor(call, "self").shape;
  std::vector<WindowAxis> result;
  for (std::size_t a = 0; a < axes; ++a) {
    result.push_back({self[self.size() - axes + a], spread(kernel, a),
                      spread(stride.values.empty() ? kernel : stride, a),
                      spread(int_array(call, "padding"), a),
                      spread(int_array(call, "dilation"), a)});
  }
  return result;
}

/// floor((in + 2p − d(k−1) − 1 + (ceil ? s−1 : 0)) / s) + 1, and one less in ceil mode where the
/// last window would start in the right padding. May be below 1.
inline Wide pooled_extent(const WindowAxis& a, bool ceil) {
  const Wide in = a.in, k = a.kernel, s = a.stride, p = a.pad, d = a.dilation;
  const Wide numerator = in + 2 * p - d * (k - 1) - 1 + (ceil ? s - 1 : 0);
  Wide quotient = numerator / s;
  if (numerator % s < 0) --quotient;  // division truncates, floor does not
  const Wide out = quotient + 1;
  return ceil && (out - 1) * s >= in + p ? out - 1 : out;
}

}  // namespace gradproof::ref
