// The eight lanes that a byte selects, as a vector of AVX2 has them, for each byte.
#pragma once

#include <cstdint>

namespace gradproof::kernels {

struct LaneMasks {
  alignas(32) std::uint32_t of[256][8];  ///< all ones where the lane's bit is set
};

constexpr LaneMasks make_lane_masks() {
  LaneMasks masks{};
  for (int byte = 0; byte < 256; ++byte) {
    for (int lane = 0; lane < 8; ++lane) {
      masks.of[byte][lane] = (byte >> lane & 1) != 0 ? 0xffffffffu : 0;
    }
  }
  return masks;
}

/// 8 KiB, which stay in L1 while they are used.
inline constexpr LaneMasks kLaneMasks = make_lane_masks();

}  // namespace gradproof::kernels
