// From what size on outputs go past the caches.
#pragma once

#include <cstdint>

#include "opt/kernels/simd/stream.h"

namespace gradproof::kernels {

/// Outputs of this many bytes are streamed if they are written `in_lines`, one after the other:
/// half of a core's second cache, which what is read must share, but no more than kStreamedBytes.
/// The same throughout the process, so that phases agree.
///
/// On a Zen 3 (512 KiB) pools of 256 to 768 KiB take 0.6 to 0.9 of the time so, even where the last
/// cache (32 MiB) held everything before, and upsampling 0.8 to 1; from 1 MiB on stores take 1.1 to
/// 2 times as long as streams. Rows of 56, 66 or 112 bytes, or with gaps, took 1.2 to 1.4
/// times as long when they were streamed below 1 MiB.
std::int64_t streamed_bytes(bool in_lines);

}  // namespace gradproof::kernels
