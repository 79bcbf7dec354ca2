// Finished runs on their way to memory: past the caches where the output is too large for them.
//
// A store to a line that is in no cache first reads the line; a streaming store of a whole line
// does not, and leaves the caches to what is read again. So kernels work in a staging buffer that
// stays in the L1 cache and write it out once, in runs as long as the output has without a gap.
//
// Only whole lines are streamed. Where a vector is less than a line, streaming a part of one and
// storing the rest waits for memory: on a Zen 3 half a microsecond, 15 times what the rest of a
// pool's row of 112 bytes takes.
#include <algorithm>
#include <cstring>

#include "hwy/cache_control.h"
#include "opt/kernels/machine.h"
#include "opt/kernels/vector/convert-inl.h"

#if defined(GRADPROOF_KERNELS_VECTOR_STREAM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRADPROOF_KERNELS_VECTOR_STREAM_INL_H_
#undef GRADPROOF_KERNELS_VECTOR_STREAM_INL_H_
#else
#define GRADPROOF_KERNELS_VECTOR_STREAM_INL_H_
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

/// A vector of scalars whose bytes fill a line or less, at `to`, which is aligned to it.
template <class D, class Scalar>
HWY_INLINE void stream_vector(D d, hn::Vec<D> bits, Scalar* to) {
  hn::Stream(bits, d, reinterpret_cast<hn::TFromD<D>*>(to));
}

/// Whether streams of whole vectors alone make up a run.
template <class Scalar>
HWY_INLINE bool whole_lines(const Scalar* to, std::size_t n) {
  return reinterpret_cast<std::uintptr_t>(to) % kLine == 0 && n * sizeof(Scalar) % kLine == 0;
}

/// Rounds a vector of finished sums to `to`, which is aligned to as many scalars.
template <class Scalar, class D>
HWY_INLINE void stream_sums(Scalar* to, D d, hn::Vec<D> sums) {
  using To = std::conditional_t<sizeof(Scalar) == sizeof(float), D, HalfWords<D>>;
  stream_vector(To(), narrowed<Scalar>(d, sums), to);
}

/// Rounds two vectors of finished sums to `to`, which is aligned to twice as many scalars.
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

/// Rounds `n` finished sums to `to`. Streaming: end_streams() must follow before others may look.
template <class Scalar>
HWY_INLINE void write_sums(Scalar* to, const float* sums, std::size_t n, bool streaming) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  if (streaming) {
    for (const std::size_t head = before_line(to, n); i < head; ++i) narrow(sums[i], to[i]);
    const std::size_t end = i + in_lines<Scalar>(n - i);
    if constexpr (sizeof(Scalar) == sizeof(float)) {
      for (; i < end; i += lanes)
        stream_vector(d, narrowed<Scalar>(d, hn::LoadU(d, sums + i)), to + i);
    } else {
#if HWY_TARGET != HWY_SCALAR  // whose vectors cannot be longer than one lane
      const hn::Twice<HalfWords<Floats>> d16;
      for (; i < end; i += 2 * lanes) {
        const auto low = hn::LoadU(d, sums + i), high = hn::LoadU(d, sums + i + lanes);
        stream_vector(d16, narrowed_pair<Scalar>(d, low, high), to + i);
      }
#endif
    }
  }
  for (; i + lanes <= n; i += lanes) narrow_to(to + i, d, hn::LoadU(d, sums + i));
  for (; i < n; ++i) narrow(sums[i], to[i]);
}

/// Copies `n` scalars bit for bit, the last vector so that it ends where they end. For short rows:
/// a call of memcpy, which first finds out how long they are, takes as long as they do.
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

/// Copies `n` scalars bit for bit, under the same terms.
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
    hn::Stream(hn::LoadU(d, source + i), d, target + i);
  std::memcpy(target + lines, source + lines, (n - head) * sizeof(Scalar) - lines);
}

/// Zeros `n` scalars, at least one, with non-temporal stores where lines are whole.
template <class Scalar>
HWY_INLINE void stream_zeros(Scalar* to, std::size_t n) {
  const std::size_t head = before_line(to, n);
  std::memset(static_cast<void*>(to), 0, head * sizeof(Scalar));
  const hn::CappedTag<std::uint8_t, kLine> d;
  auto* target = reinterpret_cast<std::uint8_t*>(to + head);
  const std::size_t lines = in_lines<Scalar>(n - head) * sizeof(Scalar);
  for (std::size_t i = 0; i < lines; i += hn::Lanes(d)) hn::Stream(hn::Zero(d), d, target + i);
  std::memset(target + lines, 0, (n - head) * sizeof(Scalar) - lines);
}

/// Prefetches what is a few kilobytes behind a run that is about to be read.
template <class Scalar>
HWY_INLINE void prefetch_run(const Scalar* run, std::int64_t n) {
  constexpr std::int64_t kAhead = 4096, kStep = static_cast<std::int64_t>(kLine);
  const char* bytes = reinterpret_cast<const char*>(run) + kAhead;
  const std::int64_t size = n * static_cast<std::int64_t>(sizeof(Scalar));
  for (std::int64_t i = 0; i < size; i += kStep) hwy::Prefetch(bytes + i);
}

/// Makes streamed bytes visible to whoever synchronises with this thread. Once per tile.
HWY_INLINE void end_streams(bool streaming) {
  if (streaming) hwy::FlushStream();
}

}  // namespace gradproof::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // GRADPROOF_KERNELS_VECTOR_STREAM_INL_H_
