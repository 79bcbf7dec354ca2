// Where blocks come from, and what is known of them.
#include "opt/runtime/blocks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "acl/acl_base.h"
#include "opt/base/eternal.h"
#include "opt/base/no_cancel.h"
#include "opt/runtime/config.h"
#include "opt/runtime/guarded_memory.h"
#include "opt/runtime/limits.h"

namespace gradproof {
namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and what AVX-512 wants

#ifdef __has_feature  // clang's way to say what gcc has a macro for
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kPooled = 0;  // it finds uses of freed memory, which must be freed for that
#else
constexpr std::size_t kPooled = std::size_t{256} << 20;
#endif

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

}  // namespace

Blocks::Blocks() : pool_(kPooled) {}

void* Blocks::allocate(std::size_t size, Place place, const char*& source) {
  const bool strict = config().strict;
  Block block{size, place, strict && place == Place::device, {}, 0, {}};
  if (strict) block.site = strict::here();
  {
    const std::lock_guard lock(mutex_);
    if (size > total() - taken()) return nullptr;  // also keeps the rounding below from overflowing
    // What is kept counts as used memory, for a control group for instance.
    if (pool_.bytes() > total() - taken() - size) pool_.clear();
    taken_of(place) += size;
    most_ = std::max(most_, taken());
    if (!block.guarded) block.allocator = allocator_;
    if (block.allocator.allocate != nullptr) source = "the program's allocator";
  }
  void* start = nullptr;
  try {
    start = obtain(size, block);
    if (start != nullptr && enlist(start, block)) return start;  // perhaps uncovered: out of memory
  } catch (...) {
    if (start != nullptr) give_back(start, block);  // perhaps uncovered: out of memory
    forgo(size, place);
    throw;
  }
  forgo(size, place);  // there is none, or the program's allocator gave a block that is alive
  return nullptr;
}

bool Blocks::release(void* start, Place place, Status& status) {
  Block block;
  {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(address(start));
    if (found == live_.end() || found->second.place != place) return false;
    block = found->second;
    taken_of(place) -= block.size;
    live_.erase(found);
  }
  status = check_zones(start, block);
  if (block.guarded || block.allocator.allocate != nullptr || strict::on()) {
    give_back(start, block);
  } else {
    const std::lock_guard lock(mutex_);
    pool_.keep(start, block.room);
  }
  return true;
}

void Blocks::use(const gradproofAllocator& allocator) {
  const std::lock_guard lock(mutex_);
  allocator_ = allocator;
}

void Blocks::trim() {
  const std::lock_guard lock(mutex_);
  pool_.clear();
}

MemoryCounts Blocks::counts() const {
  const std::lock_guard lock(mutex_);
  return {taken_[0], taken_[1], most_, pool_.bytes()};
}

std::size_t Blocks::available() const {
  const std::lock_guard lock(mutex_);
  return total() - taken();
}

std::size_t Blocks::total() {
  static const std::size_t bytes = [] {
    const NoCancel whole;  // it is read from files
    return memory_bytes();
  }();
  return bytes;
}

std::optional<Blocks::Room> Blocks::room(const void* at) const {
  const std::lock_guard lock(mutex_);
  auto next = live_.upper_bound(address(at));
  if (next == live_.begin()) return std::nullopt;
  --next;
  const std::size_t offset = address(at) - next->first;
  // One past the end may be other memory, or the next block's.
  if (offset >= next->second.size) return std::nullopt;
  return Room{next->second.size - offset, next->second.place};
}

Status Blocks::check_all_zones() const {
  const std::lock_guard lock(mutex_);
  Status first;
  for (const auto& [start, block] : live_) {
    Status status = check_zones(reinterpret_cast<void*>(start), block);
    if (first.ok()) first = std::move(status);  // uncovered: write beside a block
  }
  return first;
}

void Blocks::tell_leaks() const {
  const std::lock_guard lock(mutex_);
  strict::Leaks leaks("freed");
  for (const auto& [start, block] : live_) {
    if (block.site.count == 0) continue;
    const std::string what = std::to_string(block.size) +
                             (block.size == 1 ? " byte of " : " bytes of ") +
                             (block.place == Place::device ? "aclrtMalloc" : "aclrtMallocHost");
    leaks.add(what, reinterpret_cast<void*>(start), block.site);
  }
}

void Blocks::at_fork(Fork phase) { phase == Fork::ahead ? mutex_.lock() : mutex_.unlock(); }

bool Blocks::enlist(void* start, const Block& block) {
  const std::lock_guard lock(mutex_);
  return live_.emplace(address(start), block).second;
}

void Blocks::forgo(std::size_t size, Place place) {
  const std::lock_guard lock(mutex_);
  taken_of(place) -= size;
}

void* Blocks::obtain(std::size_t size, Block& block) {
  if (block.guarded) return guarded_allocate(size);
  block.room = (size + kAlignment - 1) / kAlignment * kAlignment;
  if (block.allocator.allocate != nullptr) return from_program(block);
  if (!strict::on()) {
    const std::lock_guard lock(mutex_);
    if (const BlockPool::Kept kept = pool_.take(size); kept.start != nullptr) {
      block.room = kept.bytes;
      return kept.start;
    }
  }
  void* start = std::aligned_alloc(kAlignment, block.room);
  if (start == nullptr) {  // uncovered: out of memory
    trim();
    start = std::aligned_alloc(kAlignment, block.room);
  }
  return start;
}

void* Blocks::from_program(const Block& block) {
  void* const start =
      block.allocator.allocate(block.room, kAlignment, kind(block), block.allocator.user);
  if (address(start) % kAlignment == 0) return start;
  give_back(start, block);
  return nullptr;
}

void Blocks::give_back(void* start, const Block& block) {
  if (block.guarded) {
    guarded_free(start, block.size);
  } else if (block.allocator.allocate != nullptr) {
    block.allocator.release(start, block.room, kind(block), block.allocator.user);
  } else {
    std::free(start);
  }
}

gradproofMemory Blocks::kind(const Block& block) {
  return block.place == Place::device ? GRADPROOF_MEMORY_DEVICE : GRADPROOF_MEMORY_HOST;
}

Status Blocks::check_zones(void* start, const Block& block) {
  const std::ptrdiff_t at = block.guarded ? damage(start, block.size) : 0;
  if (at == 0) return {};  // uncovered: write beside a block
  char text[160];
  std::snprintf(text, sizeof text, "strict: byte %td of the %zu-byte block %p was written", at,
                block.size, start);
  return {ACL_ERROR_FAILURE, text};
}

Blocks& blocks() {
  static Eternal<Blocks> it;
  return *it;
}

}  // namespace gradproof
