// The kernel of both 3-D pool gradients for small planes, which are summed whole.
//
// The indices of a plane are checked, then the terms are added where they point, in ascending
// order. An index may point anywhere in its plane. Float sums are in gradInput itself if the caches
// hold it; all other sums are in scratch and are rounded into gradInput.
#pragma once

#include "opt/kernels/index_pool/indexed_plane.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::index_pool::scatter_planes {

/// Of a plane. One worker sums a plane; scatter_ring.h can share a larger one among workers.
inline constexpr std::int64_t kMostPositions = 16384;
/// Positions for each output. scatter_lines.h is faster where there are more, unless sums are in
/// gradInput.
inline constexpr std::int64_t kManyPositions = 128;
inline constexpr std::int64_t kRun = 512;  ///< terms that are widened at once

/// What a worker works in, unless sums are in gradInput.
struct Scratch {
  float* sums;   ///< of a plane, all zero
  float* terms;  ///< kRun
};

struct Plan final : MaxPool3dBackwardPlan {
  std::int64_t planes, volume, outputs;  ///< volume and outputs per plane
  std::int64_t group;                    ///< planes of a tile
  bool streaming;                        ///< gradInput is too large for caches
  bool in_place;                         ///< sums are in gradInput
  std::int64_t together;                 ///< planes that are summed at once
  int workers;
  WorkspaceLayout::Slots sums, terms;

  Plan(const MaxPool3dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool3dBackwardBuffers& b, std::byte* workspace) const override;

  /// Writes `count` planes from `first` on. Returns the first output whose index is outside its
  /// plane, counted from the first output of plane `first`, or -1.
  using Body = std::int64_t(const Plan& plan, const MaxPool3dBackwardBuffers& b, std::int64_t first,
                            std::int64_t count, const Scratch& scratch);
  static Body* body_of(InstructionSet set);
  Body* const body = body_of(machine.instruction_set);
};

bool supports(const MaxPool3dBackwardGeometry& g);
bool preferred(const MaxPool3dBackwardGeometry& g, const Machine&);

inline constexpr MaxPool3dBackwardKernel kKernel = {"scatter planes", supports, preferred,
                                                    make_plan<Plan>};

}  // namespace gradproof::kernels::index_pool::scatter_planes
