// The kernel of the 2-D pool's gradient for small planes in the caches: a plane is one run of
// elements.
//
// In planes of 7 × 7, the beginnings and ends of rows would take most of the time. So the plan
// lists, for each element, which outputs its terms come from, in ascending position, and in which
// words their bits are. A vector of elements, wherever rows end in it, is then a sum of a few
// permutations of neighbouring terms, each selected by one test of words that all channels share.
#pragma once

#include "opt/kernels/mask_pool/tiles.h"
#include "opt/kernels/workspace.h"

namespace gradproof::kernels::mask_pool::gather_planes {

inline constexpr std::int64_t kChunk = 16;        ///< elements that are written together
inline constexpr std::int64_t kMostArea = 64;     ///< elements of a plane
inline constexpr std::int64_t kMostOutputs = 16;  ///< of a plane: a vector
inline constexpr std::int64_t kMostTerms = 4;     ///< of an element
inline constexpr std::int64_t kMostKernel = 16;   ///< on an axis: places of words are small numbers
inline constexpr std::int64_t kFewChannels = 4;   ///< fewer do not pay for reading the words

/// What a worker works in.
struct Scratch {
  float* terms;         ///< of a tile's channels
  std::uint16_t* keys;  ///< words in the order of elements, for each of their terms
};

/// Lists of a chunk's elements, one for each term that elements may have, follow each other.
struct Plan final : MaxPool2dBackwardPlan, MaskTiles {
  static constexpr std::int64_t kMost = kMostArea * kMostTerms;
  struct Link {
    std::int16_t word, key;  ///< a word of a group, and its place in the lists
  };

  std::int64_t outputs, area;  ///< of a plane
  std::int64_t most_terms;     ///< of an element: 1, 2 or 4
  std::int64_t listed;         ///< keys of a tile
  WorkspaceLayout::Slots terms, keys;
  std::int64_t links = 0;
  Link link[kMost];
  std::int32_t place[kMost];  ///< in the lists: the term's output

  Plan(const MaxPool2dBackwardGeometry& g, const Machine& on);
  Outcome run(const MaxPool2dBackwardBuffers& b, std::byte* workspace) const override;
  Scratch scratch(std::byte* workspace, int slot) const;

  using Body = void(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::int64_t index,
                    const Scratch& scratch);
  static Body* body_of(InstructionSet set);  ///< writes a tile
  Body* const body = body_of(machine.instruction_set);

 private:
  void list_terms();
};

bool supports(const MaxPool2dBackwardGeometry& g);
bool preferred(const MaxPool2dBackwardGeometry& g, const Machine& machine);

inline constexpr MaxPool2dBackwardKernel kKernel = {"gather planes", supports, preferred,
                                                    make_plan<Plan>};

}  // namespace gradproof::kernels::mask_pool::gather_planes
