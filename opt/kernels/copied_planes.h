// Kernels for rows without gaps, put to work on views whose columns lie apart (channels last, other
// orders of axes, every second element): some planes at a time are copied into scratch, computed
// there and copied back, so that memory is walked in its own order.
//
// A family says what its geometry is made of:
//
//   using Geometry, Buffers;
//   static constexpr int kOperands;                          // the last one is the result
//   static constexpr std::int64_t kChannels;                 // a part begins at a multiple of it
//   static constexpr bool kAnyOrder;  // copies pay even where no channels lie side by side
//   static std::array<Extents5, kOperands> extents(const Geometry&);
//   static std::array<Strides5, kOperands> strides(const Geometry&);
//   static std::array<int, kOperands> sizes(const Geometry&);  // bytes of an element
//   static std::array<const std::byte*, kOperands> addresses(const Buffers&);
//   static Geometry geometry(const Geometry&, n, c, const std::array<Strides5, kOperands>&);
//   static Buffers buffers(copies, const Geometry&, const Buffers&, n, c);  // from n, c on
//   static std::span<const Kernel<Geometry, Buffers>> kernels();  // for rows without gaps
//   static std::int64_t outputs(const Geometry&);  // of a plane, as Outcome's position counts them
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "opt/base/checked.h"
#include "opt/kernels/simd/copy_view.h"
#include "opt/kernels/simd/stream.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels {

/// A [n, c, h, w] view as one of depth 1.
constexpr Strides5 with_depth(const Strides4& s) { return {s.n, s.c, 0, s.h, s.w}; }
constexpr Strides4 without_depth(const Strides5& s) { return {s.n, s.c, s.h, s.w}; }
constexpr Axes3 with_depth(const Axes2& e) { return {1, e.h, e.w}; }

template <class Family>
class CopiedPlanes {
 public:
  using Geometry = typename Family::Geometry;
  using Buffers = typename Family::Buffers;

  /// Worth it: there are columns that lie apart, and enough of them. What must be copied at once
  /// stays within kMostBytes.
  static bool legal(const Geometry& g) {
    if (g.n == 0) return false;
    const auto extents = Family::extents(g);
    const auto strides = Family::strides(g);
    bool apart = false;
    for (int i = 0; i < kCount; ++i) {
      apart |= columns_apart(extents[i], strides[i]) && (Family::kAnyOrder || strides[i].c == 1);
    }
    if (!apart) return false;
    const CopiedPlanes plan(g, 1);
    return saturating_mul(g.n * g.c, plan.plane_bytes_) >= kLeastBytes &&
           saturating_mul(std::min(g.c, plan.lanes_), plan.plane_bytes_) <= kMostBytes;
  }

  static std::uint64_t workspace(const Geometry& g, int threads) {
    const CopiedPlanes plan(g, threads);
    std::uint64_t most = 0;
    for (const std::int64_t n : {plan.samples_, g.n % plan.samples_}) {
      for (const std::int64_t c : {plan.channels_, g.c % plan.channels_}) {
        if (n == 0 || c == 0) continue;
        const Geometry part = plan.part(g, n, c);
        most = std::max(most, choose(Family::kernels(), part).workspace(part, threads));
      }
    }
    WorkspaceLayout layout = plan.layout_;
    layout.take(most, 1);
    return layout.bytes();
  }

  static Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {
    const CopiedPlanes plan(g, launch.threads);
    WorkspaceLayout layout = plan.layout_;
    Launch inner = launch;
    inner.workspace = launch.workspace + layout.take(0, 1);
    Outcome first;
    // In ascending order, so that the first bad index is the first one met.
    for (std::int64_t n = 0; n < g.n; n += plan.samples_) {
      for (std::int64_t c = 0; c < g.c; c += plan.channels_) {
        const Outcome outcome = plan.run_part(g, b, n, c, launch, inner);
        if (first.ok && !outcome.ok) first = outcome;
      }
    }
    return first;
  }

  static constexpr Kernel<Geometry, Buffers> kRow = {"copied planes", legal, workspace, run};

 private:
  static constexpr int kCount = Family::kOperands, kResult = kCount - 1;
  template <class T>
  using PerOperand = std::array<T, kCount>;

  static constexpr std::int64_t kLine = 64;
  static constexpr std::int64_t kLeastBytes = 8 << 10;  ///< below, copies cost more than they save
  static constexpr std::int64_t kBatchBytes = 1 << 20;  ///< for each thread: half its L2
  static constexpr std::int64_t kMostBytes = 64 << 20;

  CopiedPlanes(const Geometry& g, int threads) : extents_(Family::extents(g)) {
    const auto strides = Family::strides(g);
    sizes_ = Family::sizes(g);
    for (int i = 0; i < kCount; ++i) {
      const Axes3& plane = extents_[i].plane;
      // An odd number of lines: the same position of all channels lies in different sets of a
      // cache.
      const std::int64_t bytes = saturating_mul(plane.d * plane.h * plane.w, sizes_[i]);
      channel_bytes_[i] = saturating_mul((bytes / kLine + 1) | 1, kLine);
      plane_bytes_ = saturating_add(plane_bytes_, channel_bytes_[i]);
      // Whole pairs of lines of channels that lie side by side: memory is fetched by pairs.
      if (strides[i].c == 1 && columns_apart(extents_[i], strides[i])) {
        lanes_ = std::max(lanes_, 2 * kLine / sizes_[i]);
      }
    }
    const std::int64_t wanted = threads * kBatchBytes / plane_bytes_ / lanes_ * lanes_;
    channels_ = std::min(g.c, std::max(wanted, lanes_));
    samples_ = std::clamp<std::int64_t>(wanted / g.c, 1, g.n);
    for (int i = 0; i < kCount; ++i) {
      const std::int64_t planes = saturating_mul(samples_, channels_);
      copies_[i] = layout_.take(static_cast<std::uint64_t>(planes),
                                static_cast<std::uint64_t>(channel_bytes_[i]));
    }
  }

  static bool columns_apart(const Extents5& e, const Strides5& s) {
    return s.w != 1 && e.plane.w > 1;
  }

  PerOperand<Strides5> copied_strides(std::int64_t channels) const {
    PerOperand<Strides5> strides;
    for (int i = 0; i < kCount; ++i) {
      const Axes3& plane = extents_[i].plane;
      const std::int64_t channel = channel_bytes_[i] / sizes_[i];
      strides[i] = {channels * channel, channel, plane.h * plane.w, plane.w, 1};
    }
    return strides;
  }

  Geometry part(const Geometry& g, std::int64_t samples, std::int64_t channels) const {
    return Family::geometry(g, samples, channels, copied_strides(channels));
  }

  Outcome run_part(const Geometry& g, const Buffers& b, std::int64_t n, std::int64_t c,
                   const Launch& launch, const Launch& inner) const {
    const std::int64_t samples = std::min(samples_, g.n - n),
                       channels = std::min(channels_, g.c - c);
    const auto strides = Family::strides(g), copied = copied_strides(channels);
    const PerOperand<const std::byte*> views = Family::addresses(b);
    PerOperand<std::byte*> copies;
    const auto extents = [&](int i) { return Extents5{samples, channels, extents_[i].plane}; };
    const auto view = [&](int i) {
      return views[i] + (n * strides[i].n + c * strides[i].c) * sizes_[i];
    };
    for (int i = 0; i < kCount; ++i) {
      copies[i] = launch.workspace + copies_[i];
      if (i == kResult || views[i] == nullptr) continue;  // null: a tensor without elements
      copy_view(extents(i), sizes_[i], {view(i), strides[i]}, {copies[i], copied[i]}, false,
                launch);
    }
    const Geometry geometry = part(g, samples, channels);
    Outcome outcome = choose(Family::kernels(), geometry)
                          .run(geometry, Family::buffers(copies, g, b, n, c), inner);
    if (!outcome.ok) outcome.position += (n * g.c + c) * Family::outputs(g);
    const bool stream = saturating_mul(g.n * g.c, channel_bytes_[kResult]) >= kStreamedBytes;
    copy_view(extents(kResult), sizes_[kResult], {copies[kResult], copied[kResult]},
              {const_cast<std::byte*>(view(kResult)), strides[kResult]}, stream, launch);
    return outcome;
  }

  PerOperand<Extents5> extents_;
  PerOperand<int> sizes_;
  PerOperand<std::int64_t> channel_bytes_;  ///< of a plane in scratch
  std::int64_t plane_bytes_ = 0;            ///< of all operands' planes
  std::int64_t lanes_ = Family::kChannels;  ///< channels that are copied together at least
  std::int64_t channels_, samples_;         ///< copied at once; all channels if several samples
  PerOperand<std::uint64_t> copies_;
  WorkspaceLayout layout_;
};

}  // namespace gradproof::kernels
