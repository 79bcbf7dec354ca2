// The sink: how kernels write finished results to gradInput.
//
//   write_sums     n float sums, rounded                    plain, or streamed
//   write_sum_line the same for one cache line              plain, or streamed
//   take_sums      like write_sums, and the sums become 0   plain, or streamed
//   take_lines     the same for whole cache lines, or half  plain, or streamed
//   write_copy     n rounded results, bit for bit           plain, or streamed
//   stream_zero_lines  zeros for whole cache lines          streamed
//   copy_into_gaps rounded results into strided columns     plain (strided_copy-inl.h)
//   stream_sums    one vector of sums, rounded              streamed
//   stream_vector  one vector of rounded results            streamed
//   StagedRows     rows that follow each other, collected until they fill whole lines
//
// What was streamed is visible to other threads once the worker has no more tiles (parallel.h).
//
// A store to a line that is in no cache first reads the line. A streaming store of a whole line
// does not read it, and keeps it out of the caches. Only whole lines are streamed: a line that is
// partly streamed and partly stored makes the processor wait for memory at each row.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "opt/kernels/prefetch.h"
#include "opt/kernels/vector/convert-inl.h"
#include "opt/kernels/vector/sink.h"

#if defined(GRADPROOF_KERNELS_VECTOR_SINK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_SINK_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_SINK_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_SINK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernels::HWY_NAMESPACE {

/// How many of `n` scalars at `to` precede the first whole line.
template <class Scalar>
HWY_INLINE std::size_t before_line(const Scalar* to, std::size_t n) {
  const std::size_t misfit = reinterpret_cast<std::uintptr_t>(to) % kLine;
  return misfit == 0 ? 0 : std::min(n, (kLine - misfit) / sizeof(Scalar));
}

/// How many of `n` scalars at a line's beginning fill whole lines.
template <class Scalar>
HWY_INLINE std::size_t in_lines(std::size_t n) {
  constexpr std::size_t kScalars = kLine / sizeof(Scalar);
  return n / kScalars * kScalars;
}

/// Whether `n` scalars at `to` are whole lines.
template <class Scalar>
HWY_INLINE bool whole_lines(const Scalar* to, std::size_t n) {
  return reinterpret_cast<std::uintptr_t>(to) % kLine == 0 && n * sizeof(Scalar) % kLine == 0;
}

/// Streams a vector of a line's bytes or fewer to `to`, which is aligned to the vector.
template <class D, class Scalar>
HWY_INLINE void stream_vector(D d, hn::Vec<D> bits, Scalar* to) {
  hn::Stream(bits, d, reinterpret_cast<hn::TFromD<D>*>(to));
}

/// Rounds a vector of sums to `to`, which is aligned to as many scalars.
template <class Scalar, class D>
HWY_INLINE void stream_sums(Scalar* to, D d, hn::Vec<D> sums) {
  using To = std::conditional_t<sizeof(Scalar) == sizeof(float), D, HalfWords<D>>;
  stream_vector(To(), narrowed<Scalar>(d, sums), to);
}

/// Rounds two vectors of sums to `to`, which is aligned to twice as many scalars.
template <class Scalar, class D>
HWY_INLINE void stream_sums(Scalar* to, D d, hn::Vec<D> low, hn::Vec<D> high) {
#if HWY_TARGET != HWY_SCALAR  // whose vectors cannot be longer than one lane
  if constexpr (sizeof(Scalar) < sizeof(float)) {
    const hn::Twice<HalfWords<D>> d16;
    return stream_vector(d16, narrowed_pair<Scalar>(d, low, high), to);
  }
#endif
  stream_sums(to, d, low);
  stream_sums(to + hn::Lanes(d), d, high);
}

namespace sink {  // what write_sums and take_sums share: Sum is `const float` or `float`

/// Sums that may be changed become 0.
template <class D, class Sum>
HWY_INLINE void finish(D d, Sum* sums) {
  if constexpr (!std::is_const_v<Sum>) hn::StoreU(hn::Zero(d), d, sums);
}

/// Rounds as many sums as fill the line at `to`.
template <bool stream, class Scalar, class Sum>
HWY_INLINE void write_line(Scalar* HWY_RESTRICT to, Sum* HWY_RESTRICT sums) {
  constexpr std::size_t kScalars = kLine / sizeof(Scalar);
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kVectors =
      HWY_TARGET == HWY_SCALAR || sizeof(Scalar) == sizeof(float) ? 1 : 2;
  for (std::size_t i = 0; i < kScalars; i += kVectors * lanes) {
    const auto low = hn::LoadU(d, sums + i);
    if constexpr (kVectors == 1) {
      if constexpr (stream) {
        stream_sums(to + i, d, low);
      } else {
        narrow_to(to + i, d, low);
      }
    } else {
#if HWY_TARGET != HWY_SCALAR
      const hn::Twice<HalfWords<Floats>> d16;
      const auto high = hn::LoadU(d, sums + i + lanes);
      const auto both = narrowed_pair<Scalar>(d, low, high);
      if constexpr (stream) {
        stream_vector(d16, both, to + i);
      } else {
        hn::StoreU(both, d16, reinterpret_cast<std::uint16_t*>(to + i));
      }
      finish(d, sums + i + lanes);
#endif
    }
    finish(d, sums + i);
  }
}

/// Rounds fewer sums than a line has.
template <class Scalar, class Sum>
HWY_INLINE void write_part(Scalar* to, Sum* sums, std::size_t n) {
  const hn::CappedTag<float, 4> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    narrow_to(to + i, d, hn::LoadU(d, sums + i));
    finish(d, sums + i);
  }
  for (; i < n; ++i) {
    narrow(sums[i], to[i]);
    if constexpr (!std::is_const_v<Sum>) sums[i] = 0;
  }
}

template <class Scalar, class Sum>
HWY_INLINE void write_run(Scalar* to, Sum* sums, std::size_t n, bool streaming) {
  constexpr std::size_t kScalars = kLine / sizeof(Scalar);
  std::size_t i = streaming ? before_line(to, n) : 0;
  if (i > 0) write_part(to, sums, i);
  const std::size_t lines = i + in_lines<Scalar>(n - i);
  if (streaming) {
    for (; i < lines; i += kScalars) write_line<true>(to + i, sums + i);
  } else {
    for (; i < lines; i += kScalars) write_line<false>(to + i, sums + i);
  }
  if (i < n) write_part(to + i, sums + i, n - i);
}

}  // namespace sink

/// Rounds `n` sums to `to`.
template <class Scalar>
HWY_INLINE void write_sums(Scalar* to, const float* sums, std::size_t n, bool streaming) {
  sink::write_run(to, sums, n, streaming);
}

/// The same for as many sums as fill one line at `to`.
template <bool stream, class Scalar>
HWY_INLINE void write_sum_line(Scalar* HWY_RESTRICT to, const float* HWY_RESTRICT sums) {
  sink::write_line<stream>(to, sums);
}

/// Rounds `n` sums to `to`, like write_sums, and the sums become 0.
template <class Scalar>
void take_sums(Scalar* HWY_RESTRICT to, float* HWY_RESTRICT sums, std::size_t n, bool streaming) {
  sink::write_run(to, sums, n, streaming);
}

/// The same for n sums that fill whole lines, which are streamed if `to` begins one, or half a
/// line, which is stored.
template <std::int64_t n, class Scalar>
HWY_INLINE void take_lines(Scalar* HWY_RESTRICT to, float* HWY_RESTRICT sums, bool streaming) {
  constexpr auto kScalars = static_cast<std::int64_t>(kLine / sizeof(Scalar));
  static_assert(n % kScalars == 0 || n == kScalars / 2);
  if constexpr (n < kScalars) {
    const Floats d;
    for (std::int64_t i = 0; i < n; i += static_cast<std::int64_t>(hn::Lanes(d))) {
      narrow_to(to + i, d, hn::LoadU(d, sums + i));
      sink::finish(d, sums + i);
    }
  } else {
    const bool stream = streaming && reinterpret_cast<std::uintptr_t>(to) % kLine == 0;
    for (std::int64_t i = 0; i < n; i += kScalars) {
      if (stream) {
        sink::write_line<true>(to + i, sums + i);
      } else {
        sink::write_line<false>(to + i, sums + i);
      }
    }
  }
}

/// Copies `n` scalars bit for bit; the last vector ends where they end. For short rows: a call of
/// memcpy, which first finds out how long they are, takes as long as the copying.
template <class Scalar>
HWY_INLINE void copy_short(Scalar* to, const Scalar* from, std::size_t n) {
  const hn::CappedTag<std::uint8_t, kLine> d;
  const std::size_t bytes = n * sizeof(Scalar), step = hn::Lanes(d);
  if (bytes < step) {
    std::memcpy(static_cast<void*>(to), from, bytes);
    return;
  }
  auto* target = reinterpret_cast<std::uint8_t*>(to);
  const auto* source = reinterpret_cast<const std::uint8_t*>(from);
  const std::size_t last = bytes - step;
  for (std::size_t i = 0; i < last; i += step) hn::StoreU(hn::LoadU(d, source + i), d, target + i);
  hn::StoreU(hn::LoadU(d, source + last), d, target + last);
}

/// Copies `n` scalars bit for bit.
template <class Scalar>
HWY_INLINE void write_copy(Scalar* to, const Scalar* from, std::size_t n, bool streaming) {
  if (n == 0) return;  // there may be no output yet, and memcpy takes no null
  if (!streaming) {
    std::memcpy(to, from, n * sizeof(Scalar));
    return;
  }
  const hn::CappedTag<std::uint8_t, kLine> d;
  const std::size_t head = before_line(to, n);
  std::memcpy(to, from, head * sizeof(Scalar));
  auto* target = reinterpret_cast<std::uint8_t*>(to + head);
  const auto* source = reinterpret_cast<const std::uint8_t*>(from + head);
  const std::size_t lines = in_lines<Scalar>(n - head) * sizeof(Scalar);
  for (std::size_t i = 0; i < lines; i += hn::Lanes(d))
    stream_vector(d, hn::LoadU(d, source + i), target + i);
  std::memcpy(target + lines, source + lines, (n - head) * sizeof(Scalar) - lines);
}

/// Zeros for `n` sums. Four vectors at a time, which compilers do not take for a memset: its `rep
/// stosb` needs 1.2 to 1.5 times as long for blocks of 4 to 16 KiB in L2 (Zen 5).
HWY_INLINE void clear_sums(float* to, std::int64_t n) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto four = [&](float* at) HWY_ATTR {
    for (int i = 0; i < 4; ++i) hn::StoreU(hn::Zero(d), d, at + i * lanes);
  };
  if (n < 4 * lanes) return static_cast<void>(std::fill_n(to, n, 0.0f));
  for (std::int64_t i = 0; i + 4 * lanes <= n; i += 4 * lanes) four(to + i);
  four(to + n - 4 * lanes);
}

/// Zeros for whole lines: `to` begins one, and `n` scalars fill them. For short runs, in which two
/// calls of memset with nothing to do take as long as the zeros.
template <class Scalar>
HWY_INLINE void stream_zero_lines(Scalar* to, std::size_t n) {
  const hn::CappedTag<std::uint8_t, kLine> d;
  auto* target = reinterpret_cast<std::uint8_t*>(to);
  for (const auto* const end = target + n * sizeof(Scalar); target < end; target += kLine) {
    for (std::size_t i = 0; i < kLine; i += hn::Lanes(d)) stream_vector(d, hn::Zero(d), target + i);
  }
}

/// Prefetches the run that is kPrefetchAhead behind this one: the processor's own prefetcher stops
/// at the end of a page.
template <class Scalar>
HWY_INLINE void prefetch_run(const Scalar* run, std::int64_t n) {
  constexpr auto kStep = static_cast<std::int64_t>(kLine);
  const char* bytes = reinterpret_cast<const char*>(run) + kPrefetchAhead;
  const std::int64_t size = n * static_cast<std::int64_t>(sizeof(Scalar));
  for (std::int64_t i = 0; i < size; i += kStep) prefetch(bytes + i);
}

/// Write-combining buffer: collects rows that follow each other in memory until they fill whole
/// lines, because a single row need not begin at a line.
template <class Scalar>
class StagedRows {
 public:
  /// @param staged staged_bytes() of the longest row
  void start(std::byte* staged, bool streaming) {
    staged_ = staged;
    streaming_ = streaming;
  }

  /// Returns where to put the `n` scalars that belong at `to`. A line behind them may be
  /// overwritten. Call settle() when they are there.
  Scalar* append(Scalar* to, std::int64_t n) {
    if (count_ == 0 || to != to_ + count_) {
      finish();
      to_ = to;
      lead_ = misfit(to);
    }
    Scalar* place = front() + count_;
    count_ += n;
    return place;
  }

  /// Writes whole lines if there are enough of them.
  void settle() {
    if (count_ * std::int64_t{sizeof(Scalar)} < kStaged) return;
    const std::int64_t rest = misfit(to_ + count_), whole = count_ - rest;
    write_copy(to_, front(), static_cast<std::size_t>(whole), streaming_);
    const Scalar* from = front() + whole;
    lead_ = 0;
    std::memmove(front(), from, static_cast<std::size_t>(rest) * sizeof(Scalar));
    to_ += whole;
    count_ = rest;
  }

  /// Writes all that is left.
  void finish() {
    write_copy(to_, front(), static_cast<std::size_t>(count_), streaming_);
    count_ = 0;
  }

 private:
  /// Scalars between the line's beginning and `at`.
  static std::int64_t misfit(const Scalar* at) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(at) % kLine / sizeof(Scalar));
  }
  Scalar* front() const { return reinterpret_cast<Scalar*>(staged_) + lead_; }

  std::byte* staged_ = nullptr;
  bool streaming_ = false;
  Scalar* to_ = nullptr;
  std::int64_t lead_ = 0, count_ = 0;  ///< lead_: so that lines here are lines of gradInput
};

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_SINK_INL_H_
