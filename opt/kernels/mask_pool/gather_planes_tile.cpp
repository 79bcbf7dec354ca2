// One tile of gather_planes.h, compiled for every instruction set.
#include "opt/kernels/mask_pool/gather_planes.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/mask_pool/gather_planes_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "opt/kernels/mask_pool/gather_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_planes::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;
using namespace mask_pool::gather_rows::HWY_NAMESPACE;
namespace {

using Geometry = MaxPool2dBackwardGeometry;

/// The keys of the tile's elements: those of terms that an element does not have are zeros.
void read_keys(const Plan& plan, const std::uint8_t* words, std::uint16_t* HWY_RESTRICT keys) {
  std::fill(keys, keys + plan.listed, std::uint16_t{0});
  for (const Plan::Link *link = plan.link, *end = link + plan.links; link != end; ++link) {
    std::memcpy(keys + link->key, words + 2 * link->word, sizeof *keys);
  }
}

/// Of a channel's terms, those at `places`.
HWY_INLINE hn::Vec<Floats> TermsAt(const float* terms, const std::int32_t* places) {
  const Floats d;
  const auto at = hn::LoadU(hn::Rebind<std::int32_t, Floats>(), places);
#if HWY_TARGET == HWY_AVX3  // all outputs in one vector
  return hn::TableLookupLanes(hn::LoadU(d, terms), hn::IndicesFromVec(d, at));
#else
  return hn::GatherIndex(d, terms, at);
#endif
}

/// The sums of a vector of elements, of which each has so many terms.
template <int terms>
HWY_INLINE hn::Vec<Floats> SumTerms(const Channel& c, const std::uint16_t* keys,
                                    const std::int32_t* places) {
  auto sum = hn::IfThenElseZero(Chosen(keys, c.bit), TermsAt(c.terms, places));
  for (int i = 1; i < terms; ++i) {  // perhaps uncovered: AVX-512
    const auto term = TermsAt(c.terms, places + i * kChunk);
    sum = AddChosen(Chosen(keys + i * kChunk, c.bit), term, sum);
  }
  return sum;
}

template <int terms, class Scalar>
HWY_INLINE void StoreSums(hn::Vec<Floats> sum, Scalar* to) {
  if constexpr (sizeof(Scalar) < sizeof(float)) {
    narrow_to(to, Floats(), sum);
  } else {
    hn::StoreU(Finished<Scalar, terms>(sum), Floats(), reinterpret_cast<float*>(to));
  }
}

/// All channels of one chunk before those of the next, so that keys and places stay in registers.
template <int terms, class Scalar>
void WriteChunks(const Geometry& g, const Plan& plan, const MaskTile<Scalar>& tile,
                 const Scratch& scratch) {
  const std::int64_t plane = g.grad_input.c, outputs = plan.outputs;
  // From the last chunk backwards: what it overwrites behind its plane is written later.
  for (std::int64_t i = (plan.area - 1) / kChunk * kChunk; i >= 0; i -= kChunk) {
    const std::int64_t rest = std::min(kChunk, plan.area - i);
    const std::int64_t whole = rest == kChunk       ? tile.channels
                               : plane == plan.area ? tile.channels - 1
                                                    : 0;
    for (std::int64_t c = 0; c < tile.channels; ++c) {
      const Channel channel{scratch.terms + c * outputs, static_cast<std::uint16_t>(tile.bit << c)};
      Scalar last[kChunk];
      Scalar* place = tile.grad_input + c * plane + i;
      Scalar* to = c < whole ? place : last;
      for (std::int64_t lane = 0; lane < kChunk;
           lane += static_cast<std::int64_t>(hn::Lanes(Floats()))) {
        const std::int64_t at = i * terms + lane;
        StoreSums<terms>(SumTerms<terms>(channel, scratch.keys + at, plan.place + at), to + lane);
      }
      if (c >= whole) std::copy(last, last + rest, place);
    }
  }
}

template <class Scalar>
void WriteTile(const Geometry& g, const Plan& plan, const MaskTile<Scalar>& tile,
               const Scratch& scratch) {
  read_keys(plan, tile.mask + plan.mask.at(tile.group, 0, 0), scratch.keys);
  const std::int64_t plane = g.grad_output.c;
  const std::int64_t run = plane == plan.outputs ? tile.channels : 1;
  for (std::int64_t c = 0; c < tile.channels; c += run) {
    LoadTerms(tile.grad_output + c * plane, 1, run * plan.outputs,
              scratch.terms + c * plan.outputs);
  }
  // perhaps uncovered: AVX-512
  if (plan.most_terms == 1) return WriteChunks<1>(g, plan, tile, scratch);
  // perhaps uncovered: AVX-512
  if (plan.most_terms == 2) return WriteChunks<2>(g, plan, tile, scratch);
  WriteChunks<4>(g, plan, tile, scratch);
}

}  // namespace

void write_tile(const Plan& plan, const MaxPool2dBackwardBuffers& b, std::int64_t index,
                const Scratch& scratch) {
  visit_mask_tile(plan, b, index,
                  [&](const auto& tile) HWY_ATTR { WriteTile(plan.g, plan, tile, scratch); });
}

}  // namespace gradproof::kernels::mask_pool::gather_planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradproof::kernels::mask_pool::gather_planes {
GRADPROOF_VARIANTS(write_tile);

Plan::Body* Plan::body_of(InstructionSet set) { return GRADPROOF_DISPATCH(write_tile, set); }

}  // namespace gradproof::kernels::mask_pool::gather_planes
#endif  // HWY_ONCE
