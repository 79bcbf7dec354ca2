// The kernel for views with strided columns (channels last, other orders of axes, every second
// element). It copies some planes at a time into scratch, runs the kernel that is chosen for dense
// planes, and copies the result back. The copies read and write memory in its own order. Operands
// whose planes are dense stay where they are. Each worker has planes of its own, which stay in its
// cache; only where there are too few of them do all workers share the same ones.
//
// A family describes its geometry:
//
//   using Geometry, Buffers;
//   static constexpr int kOperands;                          // the last one is the result
//   static constexpr std::int64_t kChannels;                 // a part begins at a multiple of it
//   static constexpr bool kAnyOrder;  // copies pay even where no channels are contiguous
//   static std::array<Extents5, kOperands> extents(const Geometry&);
//   static std::array<Strides5, kOperands> strides(const Geometry&);
//   static std::array<int, kOperands> sizes(const Geometry&);  // bytes of an element
//   static std::array<const std::byte*, kOperands> addresses(const Buffers&);
//   static Geometry geometry(const Geometry&, n, c, const std::array<Strides5, kOperands>&);
//   static Buffers buffers(operands, const Geometry&, const Buffers&, n, c);  // from n, c on
//   static Table<Geometry, Buffers> table(const Geometry&);  // the operator's kernels
//   static std::int64_t outputs(const Geometry&);  // of a plane, as Outcome's position counts them
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

#include "opt/base/checked.h"
#include "opt/kernels/kernel.h"
#include "opt/kernels/parallel.h"
#include "opt/kernels/vector/copied_channels.h"
#include "opt/kernels/vector/copy_view.h"

namespace gradproof::kernels {

template <class Family>
class CopiedPlanes final : public Plan<typename Family::Geometry, typename Family::Buffers> {
 public:
  using Geometry = typename Family::Geometry;
  using Buffers = typename Family::Buffers;
  using Base = Plan<Geometry, Buffers>;

  static bool supports(const Geometry& call) { return call.n > 0; }

  /// Where columns are strided, a call is large enough for copies to pay, and what must be copied
  /// at once fits into kMostBytes.
  static bool preferred(const Geometry& call, const Machine&) {
    const auto extents = Family::extents(call);
    const auto strides = Family::strides(call);
    bool strided = false;
    for (int i = 0; i < kCount; ++i) {
      strided |=
          strided_columns(extents[i], strides[i]) && (Family::kAnyOrder || strides[i].c == 1);
    }
    if (!strided) return false;
    const Channels channels(call);
    return saturating_mul(call.n * call.c, channels.plane_bytes) >= kLeastBytes &&
           saturating_mul(std::min(call.c, channels.together), channels.plane_bytes) <= kMostBytes;
  }

  CopiedPlanes(const Geometry& geometry, const Machine& on)
      : Base(geometry, on), extents_(Family::extents(geometry)), per_channel_(geometry) {
    const auto strides = Family::strides(g);
    for (int i = 0; i < kCount; ++i) copied_[i] = !dense(strides[i], extents_[i].plane);
    divide(on);
    for (int i = 0; i < kCount; ++i) {
      const std::int64_t planes = copied_[i] ? saturating_mul(samples_, channels_) : 0;
      copies_[i] = layout.take_slots(workers_, static_cast<std::uint64_t>(planes),
                                     static_cast<std::uint64_t>(per_channel_.bytes[i]));
    }
    of_part_ = on.for_inner();
    if (workers_ > 1) of_part_.threads = 1;
    Machine inner = of_part_;
    if (copied_[kResult]) {
      inner.l2_bytes = 0;  // streamed from 1 MiB on alone: results are read back at once
    } else {
      inner.as_large |= streams();
    }
    std::uint64_t most = 0;
    for (const bool last_samples : {false, true}) {
      for (const bool last_channels : {false, true}) {
        const std::int64_t n = last_samples ? g.n % samples_ : samples_;
        const std::int64_t c = last_channels ? g.c % channels_ : channels_;
        if (n == 0 || c == 0) continue;
        const Geometry part = Family::geometry(g, n, c, part_strides(c));
        auto& plan = parts_[last_samples][last_channels];
        plan = std::make_unique<const Part>(Family::table(g), part, inner);
        most = std::max(most, plan->workspace_bytes());
      }
    }
    inner_ = layout.take_slots(workers_, most, 1);
  }

  Outcome run(const Buffers& b, std::byte* workspace) const override {
    Outcome first;
    std::mutex of_first;
    const std::int64_t of_sample = parts(g.c, channels_);
    parallel_tiles(part_count(), workers_, [&](std::int64_t part, int slot) {
      const Outcome outcome =
          run_part(b, part / of_sample * samples_, part % of_sample * channels_, workspace, slot);
      if (outcome.done()) return;
      const std::lock_guard lock(of_first);
      if (first.done() || outcome.position < first.position) first = outcome;
    });
    return first;
  }

  static constexpr Kernel<Geometry, Buffers> kKernel = {"copied planes", supports, preferred,
                                                        make_plan<CopiedPlanes>};

 private:
  using Base::g, Base::layout, Base::machine;

  static constexpr int kCount = Family::kOperands, kResult = kCount - 1;
  template <class T>
  using PerOperand = std::array<T, kCount>;
  using Part = CallPlan<Geometry, Buffers>;
  using Channels = CopiedChannels<Family>;

  static constexpr std::int64_t kLeastBytes = 8 << 10;  ///< of a call: below, copies do not pay
  static constexpr std::int64_t kBatchBytes =
      1 << 20;  ///< copied at once by each thread: half its L2
  static constexpr std::int64_t kMostBytes = 64 << 20;

  std::int64_t part_count() const { return parts(g.n, samples_) * parts(g.c, channels_); }

  /// Who copies how many samples and channels at once.
  void divide(const Machine& on) {
    constexpr std::int64_t kLeastOfWorker = 2;  // parts, so that all end at about the same time
    const std::int64_t together = per_channel_.together, planes = saturating_mul(g.n, g.c);
    const std::int64_t fitting = on.block(kBatchBytes) / per_channel_.plane_bytes;
    const auto take = [&](std::int64_t most) {
      const std::int64_t wanted = most / together * together;
      channels_ = std::min(g.c, std::max(wanted, together));
      samples_ = std::clamp<std::int64_t>(wanted / g.c, 1, g.n);
    };
    take(std::min(fitting, parts(planes, on.threads * kTilesPerWorker)));
    workers_ = worker_count(on, part_count(), saturating_mul(planes, per_channel_.plane_bytes / 4));
    if (workers_ > 1 && part_count() >= workers_ * kLeastOfWorker) return;
    workers_ = 1;
    take(on.threads * fitting);
  }

  bool streams() const {
    return saturating_mul(g.n * g.c, per_channel_.bytes[kResult]) >= machine.streamed_bytes(false);
  }

  /// Strides of the copies; operands that stay keep theirs.
  PerOperand<Strides5> part_strides(std::int64_t channels) const {
    const auto sizes = Family::sizes(g);
    PerOperand<Strides5> strides = Family::strides(g);
    for (int i = 0; i < kCount; ++i) {
      if (!copied_[i]) continue;
      const Axes3& plane = extents_[i].plane;
      const std::int64_t channel = per_channel_.bytes[i] / sizes[i];
      strides[i] = {channels * channel, channel, plane.h * plane.w, plane.w, 1};
    }
    return strides;
  }

  Outcome run_part(const Buffers& b, std::int64_t n, std::int64_t c, std::byte* workspace,
                   int slot) const {
    const std::int64_t samples = std::min(samples_, g.n - n),
                       channels = std::min(channels_, g.c - c);
    const auto strides = Family::strides(g), part = part_strides(channels);
    const auto sizes = Family::sizes(g);
    const PerOperand<const std::byte*> views = Family::addresses(b);
    PerOperand<std::byte*> operands;
    const auto extents = [&](int i) { return Extents5{samples, channels, extents_[i].plane}; };
    const auto view = [&](int i) {
      return views[i] + (n * strides[i].n + c * strides[i].c) * sizes[i];
    };
    for (int i = 0; i < kCount; ++i) {
      operands[i] = copies_[i].template at<std::byte>(workspace, slot);
      if (views[i] == nullptr) continue;  // a tensor without elements
      if (!copied_[i]) {
        operands[i] = const_cast<std::byte*>(view(i));
      } else if (i != kResult) {
        copy_view(extents(i), sizes[i], {view(i), strides[i]}, {operands[i], part[i]}, false,
                  of_part_);
      }
    }
    const Part& plan = *parts_[samples < samples_][channels < channels_];
    Outcome outcome = plan.run(Family::buffers(operands, g, b, n, c),
                               inner_.template at<std::byte>(workspace, slot));
    if (!outcome.done()) outcome.position += (n * g.c + c) * Family::outputs(g);
    if (!copied_[kResult]) return outcome;
    copy_view(extents(kResult), sizes[kResult], {operands[kResult], part[kResult]},
              {const_cast<std::byte*>(view(kResult)), strides[kResult]}, streams(), of_part_);
    return outcome;
  }

  PerOperand<Extents5> extents_;
  PerOperand<bool> copied_;
  Channels per_channel_;
  std::int64_t channels_, samples_;  ///< copied at once; all channels if several samples
  int workers_ = 1;
  Machine of_part_;  ///< with all threads where one worker has all parts
  PerOperand<WorkspaceLayout::Slots> copies_;
  std::unique_ptr<const Part> parts_[2][2];  ///< of as many samples and channels; of the last ones
  WorkspaceLayout::Slots inner_;             ///< their workspace
};

}  // namespace gradproof::kernels
