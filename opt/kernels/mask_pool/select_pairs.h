// The kernel of the 2-D pool's gradient for windows 2 wide at stride 2 that do not overlap: each
// gradInput row is a selection from one row of terms (column_pairs-inl.h). Outputs are read in
// blocks of rows, so that rows of a few columns do not each pay for beginning and end.
#pragma once

#include <memory>

#include "opt/kernels/mask_pool/tiles.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::mask_pool::select_pairs {

inline constexpr std::int64_t kMostRows = 4;    ///< of a window
inline constexpr std::int64_t kMostStride = 8;  ///< of rows: blocks stay small
inline constexpr std::int64_t kOutputs = 512;   ///< of a block, if rows are not longer

/// Bytes of a row of outputs that is prefetched kSpread columns at a time, between the stores: a
/// long row's lines at once would wait for each other. Where there are more channels than a few,
/// it would take longer.
inline constexpr std::int64_t kLongRow = 2048, kSpread = 128, kFewChannels = 4;

/// Bytes of a plane whose blocks of terms are read faster from L1: of longer ones, the processor's
/// own prefetcher brings most from L2 by itself.
inline constexpr std::int64_t kShortPlane = 8192;

inline constexpr std::int64_t kFlatBytes = 1024;  ///< of a plane, at most, that is a run of vectors
inline constexpr std::int64_t kFlatVector = 32;   ///< bytes: the loop of AVX2 alone has such runs
inline constexpr std::int64_t kFlatSpare = 32;    ///< keys on either side of a plane's

/// Where the vectors of a plane of gradInput get their terms, wherever in a vector it begins.
struct FlatVectors {
  struct Vector {
    alignas(kFlatVector) std::uint8_t places[kFlatVector];  ///< as the permutation takes them
  };
  /// A plane with `before` scalars of the one before it in its first vector.
  struct Phase {
    std::int64_t before, whole;                        ///< whole vectors, until its last scalar
    bool parted;                                       ///< whether another vector has scalars of it
    std::int64_t next;                                 ///< phase
    std::int64_t first[kFlatBytes / kFlatVector + 2];  ///< output of each vector's first place
    Vector vectors[kFlatBytes / kFlatVector + 2];
  };
  Phase phases[4];

  /// Lists them. False if there are none.
  bool list(const Axes2& in, std::int64_t size);
};

/// What a worker works in.
struct Scratch {
  std::byte* keys;    ///< of a block, for each kernel row
  std::byte* terms;   ///< of a block of two channels in turn
  std::byte* staged;  ///< finished rows of a block
  std::byte* flat;    ///< keys of a plane that is a run of vectors
};

struct Plan final : MaxPool2dBackwardPlan, MaskTiles {
  std::int64_t block_rows = 0;  ///< of outputs
  std::int64_t pitch = 0;       ///< keys of a block at one kernel row
  bool long_rows = false;       ///< they are kLongRow or more, and streamed
  std::unique_ptr<const FlatVectors>
      flat;  ///< where planes are runs of vectors, if tensors are dense and aligned
  WorkspaceLayout::Slots keys, terms, staged, flat_keys;

  Plan(const MaxPool2dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const override;
  Scratch scratch(std::byte* workspace, int slot) const;

  using Body = void(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::int64_t index,
                    const Scratch& scratch);
  static Body* body_of(InstructionSet set);  ///< writes a tile
  Body* body = body_of(machine.instruction_set);
};

bool supports(const MaxPool2dBackwardGeometry& g);

inline constexpr MaxPool2dBackwardKernel kKernel = {"select pairs", supports, where_supported,
                                                    make_plan<Plan>};

}  // namespace gradproof::kernels::mask_pool::select_pairs
