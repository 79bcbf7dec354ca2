// The kernel of both 3-D pool gradients with sums in a ring buffer of gradInput slices that stays
// in the caches.
//
// A box is a band of rows of consecutive gradInput slices. The kernel reads the box's outputs in
// ascending order and adds their terms to float sums in the ring. A slice that no later window
// reaches is rounded and written. So gradInput is written once, in order, and never read. Where
// windows share no position, nothing is added, and the ring holds 16-bit scalars as they are, in
// half the memory. It declines if an index is outside its window's slices or, in bands, rows, and
// where terms of a 16-bit ring meet.
#pragma once

#include "opt/kernels/index_pool/indexed_plane.h"
#include "opt/kernels/window_axis.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::index_pool::scatter_ring {

inline constexpr std::int64_t kMostSpan = 32;   ///< slices that a window may reach
inline constexpr std::int64_t kRun = 512;       ///< outputs whose addresses are computed at once
inline constexpr std::int64_t kDumpSlots = 16;  ///< sums after the ring, for terms of other boxes

/// What a worker works in.
struct Scratch {
  std::byte* ring;   ///< and kDumpSlots more: float sums, or rounded results' bits
  std::byte* terms;  ///< kRun of the same
};

struct Plan final : MaxPool3dBackwardPlan {
  std::int64_t planes = 0, volume = 0, outputs = 0;  ///< volume and outputs per plane
  std::int64_t slice = 0;                            ///< positions of one d
  WindowAxis d, h, w;
  std::int64_t band = 0, bands = 0;    ///< positions of a slice in one box (whole rows), boxes
  std::int64_t slots = 0;              ///< slices in the ring
  std::int64_t depth = 0, depths = 1;  ///< slices of a box, boxes one after the other
  std::int64_t boxes = 1;              ///< of a plane that are tiles of their own
  bool streaming = false;              ///< gradInput is too large for caches
  bool finished = false;               ///< the ring of a box holds scalars of 16 bits, not sums
  int workers = 1;
  WorkspaceLayout::Slots sums, terms;

  Plan(const MaxPool3dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool3dBackwardBuffers& b, std::byte* workspace) const override;

  /// Writes the box of band `band` and slices `d` of a plane. Returns false, and the box is
  /// undefined, where the kernel declines.
  using Body = bool(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t plane,
                    const Scratch& scratch, std::int64_t band, Span d);
  static Body* body_of(InstructionSet set);
  Body* const body = body_of(machine.instruction_set);
};

bool supports(const MaxPool3dBackwardGeometry& g);
bool preferred(const MaxPool3dBackwardGeometry& g, const Machine&);

/// Whether slices are too large for a ring of whole ones.
bool in_bands(const MaxPool3dBackwardGeometry& g, const Machine&);

inline constexpr MaxPool3dBackwardKernel kKernel = {"scatter ring", supports, preferred,
                                                    make_plan<Plan>, true};

}  // namespace gradproof::kernels::index_pool::scatter_ring
