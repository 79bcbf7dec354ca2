// Memory: the aclrt* functions that allocate, copy and fill.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "acl/acl_rt.h"
#include "aclnn/aclnn_base.h"
#include "gradproof/config.h"
#include "opt/base/eternal.h"
#include "opt/runtime/block_pool.h"
#include "opt/runtime/config.h"
#include "opt/runtime/guarded_memory.h"
#include "opt/runtime/limits.h"
#include "opt/runtime/memory.h"
#include "opt/runtime/message.h"
#include "opt/runtime/process.h"
#include "opt/runtime/stream_table.h"
#include "opt/runtime/strict.h"

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

enum class Place : std::uint8_t { device, host };

/// Every live allocation, so that frees and copies can be checked. The device's size is the
/// machine's memory, or its control group's: what does not fit is refused, instead of promised and then killed for.
class Blocks {
 public:
  /// Null if it does not fit, or if `source` has none. Throws std::bad_alloc.
  void* allocate(std::size_t size, Place place, const char*& source) {
    const bool strict = config().strict;
    Block block{size, place, strict && place == Place::device, {}, 0, {}};
    if (strict) block.site = strict::here();
    {
      const std::lock_guard lock(mutex_);
      if (size > total() - taken()) return nullptr;  // also keeps the rounding below from overflowing
      taken_of(place) += size;
      most_ = std::max(most_, taken());
      if (!block.guarded) block.allocator = allocator_;
      if (block.allocator.allocate != nullptr) source = "the program's allocator";
    }
    void* start = nullptr;
    try {
      start = obtain(size, block);
      if (start != nullptr && enlist(start, block)) return start;
    } catch (...) {
      if (start != nullptr) give_back(start, block);
      forgo(size, place);
      throw;
    }
    forgo(size, place);  // there is none, or the program's allocator gave a block that is alive
    return nullptr;
  }

  /// False if it is no live block of the place. `status` says if its red zones were damaged.
  bool release(void* start, Place place, Status& status) {
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

  /// Blocks from now on come from there; a null function means the system.
  void use(const gradproofAllocator& allocator) {
    const std::lock_guard lock(mutex_);
    allocator_ = allocator;
  }

  MemoryCounts counts() const {
    const std::lock_guard lock(mutex_);
    return {taken_[0], taken_[1], most_, pool_.bytes()};
  }

  /// Frees what is kept for later.
  void trim() {
    const std::lock_guard lock(mutex_);
    pool_.clear();
  }

  /// The first damage that is found.
  Status check_all_zones() const {
    const std::lock_guard lock(mutex_);
    Status first;
    for (const auto& [start, block] : live_) {
      Status status = check_zones(reinterpret_cast<void*>(start), block);
      if (first.ok()) first = std::move(status);
    }
    return first;
  }

  /// Bytes from `at` to the end of the device block that it lies in; 0 outside of all.
  std::size_t device_room(const void* at) const {
    const std::lock_guard lock(mutex_);
    auto next = live_.upper_bound(address(at));
    if (next == live_.begin()) return 0;
    --next;
    const std::size_t offset = address(at) - next->first;
    const bool inside = next->second.place == Place::device && offset < next->second.size;
    return inside ? next->second.size - offset : 0;
  }

  void tell_leaks() const {
    const std::lock_guard lock(mutex_);
    strict::Leaks leaks("freed");
    for (const auto& [start, block] : live_) {
      if (block.site.count == 0) continue;
      const std::string what = std::to_string(block.size) + " bytes of " +
                               (block.place == Place::device ? "aclrtMalloc" : "aclrtMallocHost");
      leaks.add(what, reinterpret_cast<void*>(start), block.site);
    }
  }

  /// Bytes from `at` to the end of the block that it lies in; SIZE_MAX outside of all blocks().
  std::size_t room(const void* at) const {
    const std::lock_guard lock(mutex_);
    auto next = live_.upper_bound(address(at));
    if (next == live_.begin()) return SIZE_MAX;
    --next;
    const std::size_t offset = address(at) - next->first;
    // One past the end is somebody else's memory, or the next block's.
    return offset < next->second.size ? next->second.size - offset : SIZE_MAX;
  }

  std::size_t available() const {
    const std::lock_guard lock(mutex_);
    return total() - taken();
  }

  void at_fork(Fork phase) {
    phase == Fork::ahead ? mutex_.lock() : mutex_.unlock();
  }

  static std::size_t total() {
    static const std::size_t bytes = memory_bytes();
    return bytes;
  }

 private:
  struct Block {
    std::size_t size = 0;
    Place place = Place::device;
    bool guarded = false;  ///< from guarded_allocate
    strict::Site site;     ///< empty outside of strict mode
    std::size_t room = 0;  ///< bytes from the system, if not guarded; at least the size
    gradproofAllocator allocator{};  ///< the program's, unless its function is null
  };
  bool enlist(void* start, const Block& block) {
    const std::lock_guard lock(mutex_);
    return live_.emplace(address(start), block).second;
  }
  void forgo(std::size_t size, Place place) {
    const std::lock_guard lock(mutex_);
    taken_of(place) -= size;
  }
  std::size_t taken() const { return taken_[0] + taken_[1]; }
  std::size_t& taken_of(Place place) { return taken_[static_cast<std::size_t>(place)]; }

  /// The block's memory, null if there is none. Without the lock: it may take long.
  void* obtain(std::size_t size, Block& block) {
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
    if (start == nullptr) {
      trim();
      start = std::aligned_alloc(kAlignment, block.room);
    }
    return start;
  }
  static void* from_program(const Block& block) {
    void* const start = block.allocator.allocate(block.room, kAlignment, kind(block), block.allocator.user);
    if (address(start) % kAlignment == 0) return start;
    give_back(start, block);
    return nullptr;
  }
  static void give_back(void* start, const Block& block) {
    if (block.guarded) {
      guarded_free(start, block.size);
    } else if (block.allocator.allocate != nullptr) {
      block.allocator.release(start, block.room, kind(block), block.allocator.user);
    } else {
      std::free(start);
    }
  }
  static gradproofMemory kind(const Block& block) {
    return block.place == Place::device ? GRADPROOF_MEMORY_DEVICE : GRADPROOF_MEMORY_HOST;
  }
  static Status check_zones(void* start, const Block& block) {
    const std::ptrdiff_t at = block.guarded ? damage(start, block.size) : 0;
    if (at == 0) return {};
    char text[160];
    std::snprintf(text, sizeof text, "strict: byte %td of the %zu-byte block %p was written", at,
                  block.size, start);
    return {ACL_ERROR_FAILURE, text};
  }
  static std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Block> live_;
  std::array<std::size_t, 2> taken_{};  ///< by place
  std::size_t most_ = 0;
  gradproofAllocator allocator_{};
  BlockPool pool_{kPooled};
};

Blocks& blocks() {
  static Eternal<Blocks> it;
  return *it;
}

aclError allocate(const char* function, const char* argument, void** out, std::size_t size,
                  Place place) {
  return without_throwing(function, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    if (out == nullptr) return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", function, argument);
    if (size == 0) return fail(ACL_ERROR_INVALID_PARAM, "%s: size is 0", function);
    const char* source = "the system";
    void* start = blocks().allocate(size, place, source);
    if (start == nullptr) {
      const std::size_t left = blocks().available();
      return size > left
                 ? fail(ACL_ERROR_BAD_ALLOC, "%s: %zu bytes do not fit into the %zu that are left",
                        function, size, left)
                 : fail(ACL_ERROR_BAD_ALLOC, "%s: %s has no %zu bytes for this process", function,
                        source, size);
    }
    *out = start;
    return ACL_SUCCESS;
  });
}

aclError release(const char* function, const char* argument, void* start, Place place) {
  if (start == nullptr) return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", function, argument);
  Status status;
  if (blocks().release(start, place, status)) return report(status);
  return fail(ACL_ERROR_INVALID_PARAM,
              "%s: %s (%p) is not the start of a live block of %s; was it freed before?", function,
              argument, start, place == Place::device ? "aclrtMalloc" : "aclrtMallocHost");
}

/// Whose memory one side of a copy has to be. Only strict mode asks.
enum class Owner : std::uint8_t { anybody, host, device };

/// Strict mode: the memory is its owner's, and was not freed.
aclError check_owner(const char* function, const char* argument, const void* start,
                     std::size_t count, Owner owner) {
  if (owner == Owner::device) {
    const Status status = check_device_range(start, count);
    if (status.ok()) return ACL_SUCCESS;
    return fail(ACL_ERROR_INVALID_PARAM, "%s: strict: %s %s", function, argument, status.message());
  }
  const bool freed = in_quarantine(start);
  if (!freed && (owner == Owner::anybody || blocks().device_room(start) == 0)) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "%s: strict: %s (%p) lies in device memory%s", function,
              argument, start, freed ? " that was freed" : ", where kind says the host's");
}

/// Checks one side of a copy or fill.
aclError check_range(const char* function, const char* argument, const void* start,
                     std::size_t count, Owner owner) {
  if (count == 0) return ACL_SUCCESS;
  if (start == nullptr) return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", function, argument);
  const std::size_t room = blocks().room(start);
  if (count > room) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: count is %zu, but %s has %zu bytes left in its block",
                function, count, argument, room);
  }
  return strict::on() ? check_owner(function, argument, start, count, owner) : ACL_SUCCESS;
}

struct Sides {
  Owner to, from;
};
constexpr Sides kSides[] = {
    {Owner::host, Owner::host},        // ACL_MEMCPY_HOST_TO_HOST
    {Owner::device, Owner::host},      // ACL_MEMCPY_HOST_TO_DEVICE
    {Owner::host, Owner::device},      // ACL_MEMCPY_DEVICE_TO_HOST
    {Owner::device, Owner::device},    // ACL_MEMCPY_DEVICE_TO_DEVICE
    {Owner::anybody, Owner::anybody},  // ACL_MEMCPY_DEFAULT: the addresses tell
    {Owner::device, Owner::host},      // ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE
    {Owner::device, Owner::device},    // ACL_MEMCPY_INNER_DEVICE_TO_DEVICE
    {Owner::device, Owner::device},    // ACL_MEMCPY_INTER_DEVICE_TO_DEVICE
};

aclError check_copy(const char* function, const void* dst, std::size_t capacity, const void* src,
                    std::size_t count, aclrtMemcpyKind kind) {
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_INTER_DEVICE_TO_DEVICE) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: kind is %d, which is no aclrtMemcpyKind", function,
                static_cast<int>(kind));
  }
  if (count > capacity) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: count is %zu, above destMax %zu", function, count,
                capacity);
  }
  const Sides sides = kSides[kind];
  const aclError status = check_range(function, "dst", dst, count, sides.to);
  return status != ACL_SUCCESS ? status : check_range(function, "src", src, count, sides.from);
}

aclError check_fill(const char* function, const void* at, std::size_t capacity, std::size_t count) {
  if (count > capacity) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: count is %zu, above maxCount %zu", function, count,
                capacity);
  }
  return check_range(function, "devPtr", at, count, Owner::device);
}

bool is_policy(aclrtMemMallocPolicy policy) {
  constexpr std::int32_t flags = ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH |
                                 ACL_MEM_ACCESS_USER_SPACE_READONLY;
  const std::int32_t pages = static_cast<std::int32_t>(policy) & ~flags;
  return pages >= ACL_MEM_MALLOC_HUGE_FIRST && pages <= ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
}

}  // namespace

Status check_device_range(const void* begin, std::size_t bytes) {
  const std::size_t room = blocks().device_room(begin);
  if (bytes <= room) return {};
  char text[160];
  if (room > 0) {
    std::snprintf(text, sizeof text,
                  "needs %zu bytes at %p, where its block of aclrtMalloc has %zu", bytes, begin,
                  room);
  } else {
    std::snprintf(text, sizeof text, "(%p) lies in no live block of aclrtMalloc%s", begin,
                  in_quarantine(begin) ? ": it was freed" : "");
  }
  return {ACLNN_ERR_PARAM_INVALID, text};
}

Status check_red_zones() { return blocks().check_all_zones(); }

void memory_at_fork(Fork phase) noexcept { blocks().at_fork(phase); }

MemoryCounts memory_counts() { return blocks().counts(); }

void trim_memory() { blocks().trim(); }

void tell_leaked_blocks() { blocks().tell_leaks(); }

}  // namespace gradproof

using namespace gradproof;

extern "C" {

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  if (!is_policy(policy)) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: policy is 0x%x, which is no aclrtMemMallocPolicy",
                __func__, static_cast<unsigned>(policy));
  }
  return allocate(__func__, "devPtr", devPtr, size, Place::device);
}

aclError aclrtFree(void* devPtr) { return release(__func__, "devPtr", devPtr, Place::device); }

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return allocate(__func__, "hostPtr", hostPtr, size, Place::host);
}

aclError aclrtFreeHost(void* hostPtr) { return release(__func__, "hostPtr", hostPtr, Place::host); }

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  const aclError status = check_copy(__func__, dst, destMax, src, count, kind);
  if (status == ACL_SUCCESS && count > 0) (void)perform(CopyBytes{dst, src, count});
  return status;
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const char* const function = "aclrtMemcpyAsync";
    const aclError status = check_copy(function, dst, destMax, src, count, kind);
    if (status != ACL_SUCCESS) return status;
    return enqueue_or_refuse(function, stream,
                             count > 0 ? Task(CopyBytes{dst, src, count}) : Task());
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  const aclError status = check_fill(__func__, devPtr, maxCount, count);
  if (status == ACL_SUCCESS && count > 0) (void)perform(FillBytes{devPtr, value, count});
  return status;
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const char* const function = "aclrtMemsetAsync";
    const aclError status = check_fill(function, devPtr, maxCount, count);
    if (status != ACL_SUCCESS) return status;
    return enqueue_or_refuse(function, stream,
                             count > 0 ? Task(FillBytes{devPtr, value, count}) : Task());
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  if (attr < ACL_DDR_MEM || attr > ACL_HBM_MEM_P2P_HUGE1G) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: attr is %d, which is no aclrtMemAttr", __func__,
                static_cast<int>(attr));
  }
  if (free == nullptr || total == nullptr) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", __func__,
                free == nullptr ? "free" : "total");
  }
  *free = blocks().available();
  *total = Blocks::total();
  return ACL_SUCCESS;
}

aclError gradproof_set_allocator(const gradproofAllocator* allocator) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    if (allocator != nullptr && (allocator->allocate == nullptr || allocator->release == nullptr)) {
      return fail(ACL_ERROR_INVALID_PARAM, "gradproof_set_allocator: %s is null",
                  allocator->allocate == nullptr ? "allocate" : "release");
    }
    blocks().use(allocator != nullptr ? *allocator : gradproofAllocator{});
    return ACL_SUCCESS;
  });
}

}  // extern "C"
