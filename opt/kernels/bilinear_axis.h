// One axis of bilinear interpolation: source positions and weights (docs/contract.md, the sums).
#pragma once

#include <cstdint>

#include "opt/kernels/read_once.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels {

/// A few numbers, whatever the extents are: taps are computed where they are needed.
struct BilinearAxis {
  struct Tap {
    std::int64_t i0 = 0, i1 = 0;  ///< neighbours in the small image, i0 ≤ i1 ≤ i0 + 1
    float w0 = 1, w1 = 0;         ///< their weights; w1 is 0 where i1 = i0
  };
  std::int64_t in = 1, out = 1;  ///< extents of the small and of the large image
  double ratio = 0;  ///< small-image distance of neighbours in the large one; may be +Inf
  bool align_corners = false;

  /// Non-decreasing in `position`, which counts in the large image.
  Tap tap(std::int64_t position) const;
};

/// Coordinates in double without contraction (docs/contract.md, the sums).
/// @param in extent of the small image, ≥ 1  @param out extent of the large one, ≥ 1
/// @param scale used if > 0 and !align_corners
BilinearAxis bilinear_axis(std::int64_t in, std::int64_t out, bool align_corners, double scale);

/// The transpose of an axis: for small-image position i, the large-image positions that reach it in
/// ascending order and with what weight, entries [begin[i], begin[i+1]). Weights of exactly 0 have
/// no entry. The arrays are the caller's.
struct BilinearGather {
  std::int64_t* begin;     ///< in + 1
  std::int64_t* position;  ///< entries_of(axis)
  float* weight;           ///< entries_of(axis)
  static std::uint64_t entries_of(const BilinearAxis& axis) {
    return 2 * static_cast<std::uint64_t>(axis.out);
  }
  void fill(const BilinearAxis& axis) const;

  /// The entries of small-image position i, and the large-image position of an entry: whatever the
  /// arrays hold, within them and within the image.
  struct Entries {
    std::int64_t first, last;
  };
  Entries entries(std::int64_t i, const BilinearAxis& axis) const {
    const auto all = static_cast<std::int64_t>(entries_of(axis));
    const std::int64_t first = read_within(begin[i], std::int64_t{0}, all);
    return {first, read_within(begin[i + 1], first, all)};
  }
  std::int64_t reaching(std::int64_t entry, const BilinearAxis& axis) const {
    return read_within(position[entry], std::int64_t{0}, axis.out - 1);
  }
};

/// Room for a gather in a workspace.
struct GatherArea {
  std::uint64_t begin, position, weight;

  GatherArea(WorkspaceLayout& layout, const BilinearAxis& axis)
      : begin(layout.take(static_cast<std::uint64_t>(axis.in) + 1, sizeof(std::int64_t))),
        position(layout.take(BilinearGather::entries_of(axis), sizeof(std::int64_t))),
        weight(layout.take(BilinearGather::entries_of(axis), sizeof(float))) {}
  BilinearGather in(std::byte* workspace) const {
    return {area<std::int64_t>(workspace, begin), area<std::int64_t>(workspace, position),
            area<float>(workspace, weight)};
  }
};

}  // namespace gradproof::kernels
