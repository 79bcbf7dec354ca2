// Vectors of the 16 channels that share mask words: conversion from scalars and back, and sums of
// the terms that words select.
#include "opt/kernels/mask_pool/gather_lanes.h"
#include "opt/kernels/vector/column_pairs-inl.h"
#include "opt/kernels/vector/lane_masks.h"

#if defined(GRADPROOF_KERNELS_MASK_POOL_GATHER_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_MASK_POOL_GATHER_LANES_INL_H_
#undef GRADPROOF_KERNELS_MASK_POOL_GATHER_LANES_INL_H_
#else
#define GRADPROOF_KERNELS_MASK_POOL_GATHER_LANES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::mask_pool::gather_lanes::HWY_NAMESPACE {
using namespace kernels::HWY_NAMESPACE;

/// Scalars that a lane of 32 bits holds: 16-bit ones are transposed in pairs of positions.
template <class Scalar>
inline constexpr std::int64_t kInLane = sizeof(float) / sizeof(Scalar);

/// Scalars of one channel that are transposed together.
template <class Scalar>
inline constexpr std::int64_t kTransposed = kLanes* kInLane<Scalar>;

/// Calls work(lane) for the first lane of each vector of the 16 lanes.
template <class Work>
HWY_INLINE void for_each_lane(const Work& work) {
  for (std::int64_t lane = 0; lane < kLanes;
       lane += static_cast<std::int64_t>(hn::Lanes(Floats()))) {
    work(lane);
  }
}

/// Lanes of scalars that need not be aligned.
HWY_INLINE hn::Vec<Words> load_lanes(const void* from) {
#if HWY_TARGET == HWY_SCALAR
  std::uint32_t lane;
  std::memcpy(&lane, from, sizeof lane);
  return hn::Set(Words(), lane);
#else
  return hn::LoadU(Words(), static_cast<const std::uint32_t*>(from));
#endif
}
HWY_INLINE void store_lanes(hn::Vec<Words> lanes, void* to) {
#if HWY_TARGET == HWY_SCALAR
  const std::uint32_t lane = hn::GetLane(lanes);
  std::memcpy(to, &lane, sizeof lane);
#else
  hn::StoreU(lanes, Words(), static_cast<std::uint32_t*>(to));
#endif
}

/// The terms in lanes of scalars: those of the first, and of the second position.
template <class Scalar>
HWY_INLINE hn::Vec<Floats> FirstTerms(hn::Vec<Words> lanes) {
  const Floats d;
  const HalfWords<Floats> d16;
  if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) {
    return through_float16(d, hn::BitCast(d, lanes));
  } else if constexpr (std::is_same_v<Scalar, BFloat16>) {
    return hn::BitCast(d, hn::ShiftLeft<16>(lanes));
  } else if constexpr (std::is_same_v<Scalar, Float16>) {
    Float16 halves[kMostFloats];
    const hn::Rebind<std::int32_t, Floats> di;
    const auto low = hn::And(lanes, hn::Set(Words(), 0xffff));
    hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, low)), d16,
               reinterpret_cast<std::uint16_t*>(halves));
    return widen_from(d, halves);
  } else {
    return hn::BitCast(d, lanes);
  }
}
template <class Scalar>
HWY_INLINE hn::Vec<Floats> SecondTerms(hn::Vec<Words> lanes) {
  if constexpr (std::is_same_v<Scalar, BFloat16>) {
    return hn::BitCast(Floats(), hn::And(lanes, hn::Set(Words(), 0xffff0000u)));
  } else {
    return FirstTerms<Scalar>(hn::ShiftRight<16>(lanes));
  }
}

/// Sums rounded to scalars; those of 16 bits in the upper halves of their lanes.
template <class Scalar>
HWY_INLINE hn::Vec<Words> Rounded(hn::Vec<Floats> sums) {
  const Floats d;
  const Words du;
  if constexpr (std::is_same_v<Scalar, FloatViaFloat16>) {
    return hn::BitCast(du, narrowed<float>(d, through_float16(d, sums)));
  } else if constexpr (std::is_same_v<Scalar, BFloat16>) {
    return hn::BitCast(du, rounded_bfloat16(d, sums));
  } else if constexpr (std::is_same_v<Scalar, Float16>) {
    return hn::ShiftLeft<16>(hn::PromoteTo(du, narrowed<Float16>(d, sums)));
  } else {
    return hn::BitCast(du, narrowed<float>(d, sums));
  }
}

/// The bits of the channels from `first` on in a word, one for each lane.
HWY_INLINE hn::Vec<Words> ChannelBits(std::int64_t first) {
  return hn::Shl(hn::Set(Words(), 1u << first), hn::Iota(Words(), 0));
}

/// Adds the term in the lanes of the channels that a word selects. @param bits of the channels
HWY_INLINE hn::Vec<Floats> AddSelected(const std::uint8_t* word, hn::Vec<Words> bits,
                                       hn::Vec<Floats> term, hn::Vec<Floats> sum) {
  const Floats d;
  std::uint32_t words;  // and the next word: rows of words end with unused ones
  std::memcpy(&words, word, sizeof words);
  const auto selected = hn::RebindMask(d, hn::TestBit(hn::Set(Words(), words), bits));
#if HWY_TARGET == HWY_AVX3
  // One instruction, whose sums are the same: they begin as +0, which no +0 changes. A test is
  // faster than a move to a mask register, which GCC makes in two steps.
  // perhaps uncovered: AVX-512
  sum.raw = _mm512_mask_add_ps(sum.raw, selected.raw, sum.raw, term.raw);
  return sum;
#else
  return hn::Add(sum, hn::IfThenElseZero(selected, term));
#endif
}

/// Where the terms of neighbours begin, and the steps between rows of outputs and along a row.
struct Sources {
  const float* terms;
  const std::uint8_t* words;
  std::int64_t rows, count;
  std::int64_t terms_row, words_row, words_next;  ///< from one to the next, in floats and bytes
};

inline constexpr int kColumnsAtOnce = 8;

/// Calls work with a number that divides the terms that a row of the window has.
template <class Work>
HWY_INLINE void visit_count(std::int64_t count, const Work& work) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  if (count % 5 == 0) return work(std::integral_constant<int, 5>());
  if (count % 3 == 0) return work(std::integral_constant<int, 3>());
  if (count % 2 == 0) return work(std::integral_constant<int, 2>());
#else
  (void)count;
#endif
  work(std::integral_constant<int, 1>());
}

#if HWY_HAVE_SCALABLE

/// Rounded sums of `columns` neighbours, `stride` columns apart, for windows of a multiple of
/// `count` terms in a row.
template <class Scalar, int columns, int count>
HWY_INLINE void AddSources(const Sources& s, std::uint32_t* sums, std::int64_t stride) {
  const Floats d;
  for (int i = 0; i < columns; ++i) {
    for_each_lane([&](std::int64_t lane) HWY_ATTR {
      const auto bits = ChannelBits(lane);
      auto sum = hn::Zero(d);
      for (std::int64_t row = 0; row < s.rows; ++row) {
        const float* terms = s.terms + row * s.terms_row + i * kLanes + lane;
        const std::uint8_t* words = s.words + row * s.words_row + 2 * i;
        for (std::int64_t j = 0; j < s.count; ++j) {
          sum = AddSelected(words, bits, hn::LoadU(d, terms), sum);
          terms += kLanes;
          words += s.words_next;
        }
      }
      hn::StoreU(Rounded<Scalar>(sum), Words(), sums + i * stride * kLanes + lane);
    });
  }
}

#elif HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

/// As AddSelected. With AVX2 a byte of the word is an index into a table of masks: two
/// instructions, where testing bits takes four.
HWY_INLINE hn::Vec<Floats> AddChosenLanes(const std::uint8_t* word, hn::Vec<Floats> term,
                                          hn::Vec<Floats> sum) {
#if HWY_TARGET == HWY_AVX3
  return AddSelected(word, ChannelBits(0), term, sum);  // perhaps uncovered: AVX-512
#else
  const Floats d;
  return hn::Add(sum, hn::And(hn::BitCast(d, hn::Load(Words(), kLaneMasks.of[*word])), term));
#endif
}

/// Adds `count` terms to the sums of each of `columns` neighbours. A term is loaded once for all of
/// them.
template <int columns, int count>
HWY_INLINE void AddTerms(const float* terms, const std::uint8_t* words, std::int64_t words_next,
                         hn::Vec<Floats> (&sum)[columns]) {
  const Floats d;
  HWY_UNROLL(16)
  for (int place = 0; place < columns + count - 1; ++place) {
    const auto term = hn::LoadU(d, terms + place * kLanes);
    HWY_UNROLL(8)
    for (int j = 0; j < count; ++j) {
      const int i = place - j;
      if (i < 0 || i >= columns) continue;
      sum[i] = AddChosenLanes(words + j * words_next + 2 * i, term, sum[i]);
    }
  }
}

/// As above.
template <class Scalar, int columns, int count>
HWY_INLINE void AddSources(const Sources& s, std::uint32_t* sums, std::int64_t stride) {
  const Floats d;
  for_each_lane([&](std::int64_t lane) HWY_ATTR {
    hn::Vec<Floats> sum[columns];
    for (int i = 0; i < columns; ++i) sum[i] = hn::Zero(d);
    for (std::int64_t row = 0; row < s.rows; ++row) {
      const float* terms = s.terms + row * s.terms_row + lane;
      const std::uint8_t* words = s.words + row * s.words_row + lane / 8;
      for (std::int64_t j = 0; j < s.count; j += count) {
        AddTerms<columns, count>(terms + j * kLanes, words + j * s.words_next, s.words_next, sum);
      }
    }
    for (int i = 0; i < columns; ++i) {
      hn::StoreU(Rounded<Scalar>(sum[i]), Words(), sums + i * stride * kLanes + lane);
    }
  });
}

#else  // vectors of known size can be in arrays

/// As above. Additions to one sum wait for each other, so several sums are computed at once.
template <class Scalar, int columns, int count>
HWY_INLINE void AddSources(const Sources& s, std::uint32_t* sums, std::int64_t stride) {
  const Floats d;
  for_each_lane([&](std::int64_t lane) HWY_ATTR {
    const auto bits = ChannelBits(lane);
    hn::Vec<Floats> sum[columns];
    for (int i = 0; i < columns; ++i) sum[i] = hn::Zero(d);
    const float* row_terms = s.terms + lane;
    const std::uint8_t* row_words = s.words;
    for (std::int64_t row = 0; row < s.rows; ++row) {
      const float* terms = row_terms;
      const std::uint8_t* words = row_words;
      for (std::int64_t j = 0; j < s.count; ++j) {
        for (int i = 0; i < columns; ++i) {
          const auto term = hn::LoadU(d, terms + i * kLanes);
          sum[i] = AddSelected(words + 2 * i, bits, term, sum[i]);
        }
        terms += kLanes;
        words += s.words_next;
      }
      row_terms += s.terms_row;
      row_words += s.words_row;
    }
    for (int i = 0; i < columns; ++i) {
      hn::StoreU(Rounded<Scalar>(sum[i]), Words(), sums + i * stride * kLanes + lane);
    }
  });
}

#endif

}  // namespace gradproof::kernels::mask_pool::gather_lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_MASK_POOL_GATHER_LANES_INL_H_
