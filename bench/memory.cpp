// Maps and flushes memory.
#include "bench/memory.h"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace gradproof::bench {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// A contestant's buffers begin so far apart within a page, for processors take a load for
/// dependent on an earlier store whose address agrees with its own in the lowest 12 bits.
constexpr std::size_t kPage = 4096, kStagger = 576;

}  // namespace

Buffer::Buffer(std::size_t bytes, int place) : bytes_(bytes) {
  // One huge page more than needed, so that the data can begin at the border of one.
  mapped_ = (bytes + kPage + kHugePage - 1) / kHugePage * kHugePage + kHugePage;
  void* address =
      mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  const std::size_t ahead = -reinterpret_cast<std::size_t>(address) % kHugePage;
  if (ahead > 0) munmap(address, ahead);
  mapping_ = static_cast<std::byte*>(address) + ahead;
  mapped_ -= ahead;
  data_ = mapping_ + static_cast<std::size_t>(place) * kStagger % kPage;
  (void)madvise(mapping_, mapped_, MADV_HUGEPAGE);  // a wish; smaller pages work as well
  std::memset(data_, 0, bytes);
}

Buffer::~Buffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

Buffer::Buffer(Buffer&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      data_(other.data_),
      bytes_(other.bytes_),
      mapped_(other.mapped_) {}

#if defined(__x86_64__)
namespace {

bool has_clflushopt() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 23 & 1) != 0;
}

/// Unlike clflush it does not wait for each line, which is five times as fast.
__attribute__((target("clflushopt"))) void flush_lines(std::byte* at, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 64) _mm_clflushopt(at + i);
}

}  // namespace

void flush(std::span<const std::byte> bytes) {
  static const bool quick = has_clflushopt();
  auto* at = const_cast<std::byte*>(bytes.data());
  if (quick) {
    flush_lines(at, bytes.size());
  } else {
    for (std::size_t i = 0; i < bytes.size(); i += 64) _mm_clflush(at + i);
  }
  _mm_mfence();
}
#else
void flush(std::span<const std::byte>) {
  // No instruction for it that user programs may use everywhere: more than any cache is written.
  static std::vector<std::byte> other(std::size_t{512} << 20);
  std::memset(other.data(), 1, other.size());
}
#endif

}  // namespace gradproof::bench
