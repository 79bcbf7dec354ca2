// Device memory of strict mode.
#include "opt/runtime/guarded_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

#include "opt/base/device_access.h"
#include "opt/runtime/process.h"

namespace gradproof {
namespace {

constexpr std::size_t kZone = 128;  // keeps the alignment; what rounding adds belongs to the rear
constexpr int kPattern = 0xA5;
constexpr std::size_t kKept = 1024;                       // freed blocks, at most
constexpr std::size_t kKeptBytes = std::size_t{1} << 28;  // of address space alone: no memory

struct Region {
  std::atomic<std::uintptr_t> base{0};
  std::atomic<std::size_t> length{0};
};
constinit std::array<Region, kKept> quarantine;  // a ring; written under quarantine_mutex
constinit std::mutex quarantine_mutex;
std::size_t oldest = 0, newest = 0, kept_bytes = 0;  // guarded by it; the ring's numbers only grow

std::size_t mapped(std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (size + 2 * kZone + page - 1) / page * page;
}

void drop_oldest() {
  Region& region = quarantine[oldest++ % kKept];
  const std::size_t length = region.length.exchange(0);
  kept_bytes -= length;
  munmap(reinterpret_cast<void*>(region.base.load()), length);
}

/// The first byte of [begin, end) that is not the pattern, or `end`.
std::byte* first_change(std::byte* begin, std::byte* end) {
  return std::find_if(begin, end, [](std::byte b) { return b != std::byte{kPattern}; });
}

}  // namespace

void* guarded_allocate(std::size_t size) noexcept {
  const std::size_t length = mapped(size);
  void* base = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return nullptr;  // uncovered: out of memory
  std::memset(base, kPattern, length);
  const int key = device_key.load(std::memory_order_relaxed);
  // uncovered: protection keys
  if (key >= 0) pkey_mprotect(base, length, PROT_READ | PROT_WRITE, key);
  return static_cast<std::byte*>(base) + kZone;
}

std::ptrdiff_t damage(void* start, std::size_t size) noexcept {
  const DeviceAccess access;
  auto* const block = static_cast<std::byte*>(start);
  std::byte* const front = block - kZone;
  std::byte* const rear = block + size;
  std::byte* const end = front + mapped(size);
  const std::byte* changed = first_change(front, block);
  if (changed == block) {  // uncovered: write beside a block
    changed = first_change(rear, end);
    if (changed == end) return 0;  // uncovered: write beside a block
  }
  std::memset(front, kPattern, kZone);
  std::memset(rear, kPattern, static_cast<std::size_t>(end - rear));
  return changed - block;
}

void guarded_free(void* start, std::size_t size) noexcept {
  const std::size_t length = mapped(size);
  void* const base = static_cast<std::byte*>(start) - kZone;
  const std::lock_guard lock(quarantine_mutex);
  while (oldest != newest && (newest - oldest == kKept || kept_bytes + length > kKeptBytes)) {
    drop_oldest();
  }
  madvise(base, length, MADV_DONTNEED);  // its memory goes, its addresses stay
  mprotect(base, length, PROT_NONE);
  Region& region = quarantine[newest++ % kKept];
  region.base.store(reinterpret_cast<std::uintptr_t>(base));
  region.length.store(length);
  kept_bytes += length;
}

void quarantine_at_fork(Fork phase) noexcept {
  phase == Fork::ahead ? quarantine_mutex.lock() : quarantine_mutex.unlock();
}

bool in_quarantine(const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return std::any_of(quarantine.begin(), quarantine.end(), [at](const Region& region) {
    return at - region.base.load() < region.length.load();
  });
}

}  // namespace gradproof
