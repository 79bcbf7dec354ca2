// A block of copy_view.h, compiled for every instruction set.
#include "opt/kernels/vector/copy_view.h"

#include <algorithm>
#include <cstring>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opt/kernels/vector/copy_view_tile.cpp"
#include "hwy/foreach_target.h"
#include "opt/kernels/vector/dispatch.h"
// After foreach_target.h.
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "opt/kernels/vector/strided_copy-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::copying::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using namespace kernels::HWY_NAMESPACE;

/// to[j · to_stride + i] = from[i · from_stride + j] for i < rows, j < columns.
template <class Word>
void TransposeWords(const Word* from, std::int64_t from_stride, Word* to, std::int64_t to_stride,
                    std::int64_t rows, std::int64_t columns) {
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) to[j * to_stride + i] = from[i * from_stride + j];
  }
}

#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR  // vectors whose size is not known fit no array

template <class Word>
void Transpose(const Word* from, std::int64_t from_stride, Word* to, std::int64_t to_stride,
               std::int64_t rows, std::int64_t columns, bool) {
  TransposeWords(from, from_stride, to, to_stride, rows, columns);
}

#else

/// Interleaves lanes of `Wide` of two rows: first the lower halves, then the upper ones.
template <class Wide, class D, class V>
HWY_INLINE void Interleave(D d, V& a, V& b) {
  const hn::Repartition<Wide, D> wide;
  const auto x = hn::BitCast(wide, a), y = hn::BitCast(wide, b);
  a = hn::BitCast(d, hn::InterleaveLower(wide, x, y));
  b = hn::BitCast(d, hn::InterleaveUpper(wide, x, y));
}

/// A square of as many words as 16 bytes hold.
HWY_INLINE void TransposeSquare(const std::uint32_t* from, std::int64_t from_stride,
                                std::uint32_t* to, std::int64_t to_stride) {
  const hn::FixedTag<std::uint32_t, 4> d;
  auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + from_stride);
  auto c = hn::LoadU(d, from + 2 * from_stride), e = hn::LoadU(d, from + 3 * from_stride);
  Interleave<std::uint32_t>(d, a, b);
  Interleave<std::uint32_t>(d, c, e);
  Interleave<std::uint64_t>(d, a, c);
  Interleave<std::uint64_t>(d, b, e);
  hn::StoreU(a, d, to);
  hn::StoreU(c, d, to + to_stride);
  hn::StoreU(b, d, to + 2 * to_stride);
  hn::StoreU(e, d, to + 3 * to_stride);
}

HWY_INLINE void TransposeSquare(const std::uint16_t* from, std::int64_t from_stride,
                                std::uint16_t* to, std::int64_t to_stride) {
  const hn::FixedTag<std::uint16_t, 8> d;
  hn::Vec<decltype(d)> v[8];
  for (int i = 0; i < 8; ++i) v[i] = hn::LoadU(d, from + i * from_stride);
  for (int i = 0; i < 8; i += 2) Interleave<std::uint16_t>(d, v[i], v[i + 1]);
  for (int i = 0; i < 8; i += 4) {
    Interleave<std::uint32_t>(d, v[i], v[i + 2]);
    Interleave<std::uint32_t>(d, v[i + 1], v[i + 3]);
  }
  for (int i = 0; i < 4; ++i) Interleave<std::uint64_t>(d, v[i], v[i + 4]);
  // Two bits of a column's number have chosen halves in the opposite order: 0 2 1 3.
  constexpr int kHolds[] = {0, 4, 2, 6, 1, 5, 3, 7};
  for (int j = 0; j < 8; ++j) hn::StoreU(v[kHolds[j]], d, to + j * to_stride);
}

template <class Word>
inline constexpr std::int64_t kSide = 16 / sizeof(Word);
template <class Word>
inline constexpr std::int64_t kLine = 64 / sizeof(Word);

template <class Word>
void TransposeSquares(const Word* from, std::int64_t from_stride, Word* to, std::int64_t to_stride,
                      std::int64_t rows, std::int64_t columns) {
  const auto square = [&](std::int64_t i, std::int64_t j) HWY_ATTR {
    TransposeSquare(from + i * from_stride + j, from_stride, to + j * to_stride + i, to_stride);
  };
  // The longer axis is the outer loop, so that lines of the shorter one are used as a whole. Rows
  // of `to` of a line or less are each written at once: many such lines may be in one set of a
  // cache.
  if (rows > columns && rows > kLine<Word>) {
    for (std::int64_t i = 0; i < rows; i += kSide<Word>) {
      for (std::int64_t j = 0; j < columns; j += kSide<Word>) square(i, j);
    }
  } else {
    for (std::int64_t j = 0; j < columns; j += kSide<Word>) {
      for (std::int64_t i = 0; i < rows; i += kSide<Word>) square(i, j);
    }
  }
}

/// The same for rows that are whole lines of `to`. Each line is completed before it is streamed:
/// the processor can combine streaming stores of a few lines only.
template <class Word>
void StreamSquares(const Word* from, std::int64_t from_stride, Word* to, std::int64_t to_stride,
                   std::int64_t rows, std::int64_t columns) {
  const hn::FixedTag<Word, kSide<Word> > d;
  alignas(64) Word lines[kSide<Word> * kLine<Word>];
  for (std::int64_t j = 0; j < columns; j += kSide<Word>) {
    for (std::int64_t i = 0; i < rows; i += kLine<Word>) {
      TransposeSquares(from + i * from_stride + j, from_stride, lines, kLine<Word>, kLine<Word>,
                       kSide<Word>);
      for (std::int64_t line = 0; line < kSide<Word>; ++line) {
        for (std::int64_t word = 0; word < kLine<Word>; word += kSide<Word>) {
          hn::Stream(hn::Load(d, lines + line * kLine<Word> + word), d,
                     to + (j + line) * to_stride + i + word);
        }
      }
    }
  }
}

template <class Word>
void Transpose(const Word* from, std::int64_t from_stride, Word* to, std::int64_t to_stride,
               std::int64_t rows, std::int64_t columns, bool stream) {
  const std::int64_t whole_columns = columns / kSide<Word> * kSide<Word>;
  std::int64_t whole_rows;
  if (stream && reinterpret_cast<std::uintptr_t>(to) % 64 == 0 && to_stride % kLine<Word> == 0) {
    whole_rows = rows / kLine<Word> * kLine<Word>;
    StreamSquares(from, from_stride, to, to_stride, whole_rows, whole_columns);
    hwy::FlushStream();
  } else {
    whole_rows = rows / kSide<Word> * kSide<Word>;
    TransposeSquares(from, from_stride, to, to_stride, whole_rows, whole_columns);
  }
  TransposeWords(from + whole_rows * from_stride, from_stride, to + whole_rows, to_stride,
                 rows - whole_rows, columns);
  TransposeWords(from + whole_columns, from_stride, to + whole_columns * to_stride, to_stride,
                 whole_rows, columns - whole_columns);
}

#endif

template <class Word>
void CopyWords(const Block& b, const Word* from, Word* to) {
  if (b.from_channel == 1 && b.to_position == 1) {
    Transpose(from, b.from_position, to, b.to_channel, b.positions, b.channels, b.stream);
  } else if (b.from_position == 1 && b.to_channel == 1) {
    Transpose(from, b.from_channel, to, b.to_position, b.channels, b.positions, b.stream);
  } else {
    for (std::int64_t c = 0; c < b.channels; ++c) {
      const Word* row = from + c * b.from_channel;
      Word* out = to + c * b.to_channel;
      if (b.from_position == 1 && b.to_position == 1) {
        std::memcpy(out, row, static_cast<std::size_t>(b.positions) * sizeof(Word));
      } else if (b.to_position == 1) {
        copy_from_gaps(row, b.from_position, b.positions, out);
      } else {
        copy_into_gaps(row, b.positions, out, b.to_position);
      }
    }
  }
}

void Copy(const Block& block, int bytes, const std::byte* from, std::byte* to) {
  if (bytes == 2) {
    CopyWords(block, reinterpret_cast<const std::uint16_t*>(from),
              reinterpret_cast<std::uint16_t*>(to));
  } else {
    CopyWords(block, reinterpret_cast<const std::uint32_t*>(from),
              reinterpret_cast<std::uint32_t*>(to));
  }
}

}  // namespace
}  // namespace gradproof::kernels::copying::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gradproof::kernels::copying {

GRADPROOF_VARIANTS(Copy);

CopyBlock copy_block(InstructionSet set) { return GRADPROOF_DISPATCH(Copy, set); }

}  // namespace gradproof::kernels::copying

#endif  // HWY_ONCE
