// The memory's speed: the bytes of a problem read and written once, and nothing computed.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>

#include "bench/contestant.h"
#include "bench/measure.h"
#include "bench/memory.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gradproof::bench {
namespace {

constexpr std::size_t kLine = 64;
/// Reading and writing take turns after about a page, as a gradient's do.
constexpr std::size_t kTurn = 4096;
/// What is worth a thread of its own.
constexpr std::size_t kThreadBytes = 32768;

/// Loads whole lines and returns something that depends on all of them.
#if defined(__x86_64__) && !defined(__clang__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
std::uint64_t
load_lines(const std::byte* from, std::size_t lines) {
  std::uint64_t sums[8] = {};
  for (std::size_t i = 0; i < lines; ++i) {
    std::uint64_t line[8];
    std::memcpy(line, from + i * kLine, kLine);
    for (int j = 0; j < 8; ++j) sums[j] |= line[j];
  }
  std::uint64_t all = 0;
  for (const std::uint64_t sum : sums) all |= sum;
  return all;
}

void stream_lines(std::byte* to, std::size_t lines, std::uint64_t value) {
#if defined(__x86_64__)
  const __m128i word = _mm_set1_epi64x(static_cast<long long>(value));
  for (std::size_t i = 0; i < lines * kLine; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), word);
#else
  std::memset(to, static_cast<int>(value), lines * kLine);
#endif
}

class Limit final : public Contestant {
 public:
  Limit(const Problem& problem, int threads)
      : from_(lines(problem.bytes_read) * kLine, 0),
        to_(lines(problem.bytes_written) * kLine, 1),
        streaming_(true) {
    const std::size_t bytes = from_.bytes().size() + to_.bytes().size();
    parts_ = static_cast<int>(std::clamp<std::size_t>(bytes / kThreadBytes, 1, threads));
    if (parts_ > 1) arena_.initialize(parts_);
    // What fits the caches is better written into them.
    if (problem.configuration.caches == Caches::warm) {
      const double streaming = least_seconds(*this);
      streaming_ = false;
      streaming_ = streaming < least_seconds(*this);
    }
  }

  void run() override {
    if (parts_ == 1) return copy(0);
    arena_.execute([this] {
      tbb::parallel_for(
          0, parts_, [this](int part) { copy(part); }, tbb::static_partitioner());
    });
  }

  std::vector<std::span<std::byte>> memory() const override { return {from_.bytes(), to_.bytes()}; }
  std::optional<ref::Dense> take_result() override { return std::nullopt; }

 private:
  static std::size_t lines(double bytes) {
    return (static_cast<std::size_t>(bytes) + kLine - 1) / kLine;
  }

  void copy(int part) const {
    const auto share = [&](std::size_t all, int i) { return all * i / parts_; };
    const std::size_t in = from_.bytes().size() / kLine, out = to_.bytes().size() / kLine;
    const std::size_t in_at = share(in, part), in_count = share(in, part + 1) - in_at;
    const std::size_t out_at = share(out, part), out_count = share(out, part + 1) - out_at;
    const std::size_t turns = (in_count + out_count) * kLine / kTurn + 1;
    for (std::size_t turn = 0; turn < turns; ++turn) {
      const std::size_t i = in_count * turn / turns, o = out_count * turn / turns;
      const std::uint64_t value =
          load_lines(from_.data() + (in_at + i) * kLine, in_count * (turn + 1) / turns - i);
      std::byte* to = to_.data() + (out_at + o) * kLine;
      const std::size_t count = out_count * (turn + 1) / turns - o;
      if (streaming_)
        stream_lines(to, count, value);
      else
        std::memset(to, static_cast<int>(value), count * kLine);
    }
#if defined(__x86_64__)
    _mm_sfence();
#endif
  }

  Buffer from_, to_;
  bool streaming_;
  int parts_ = 1;
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Contestant> make_limit(const Problem& problem, int threads) {
  return std::make_unique<Limit>(problem, threads);
}

}  // namespace gradproof::bench
