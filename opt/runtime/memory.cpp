// Memory: the aclrt* functions that allocate, copy and fill.
#include "opt/runtime/memory.h"

#include <cstdint>
#include <cstdio>

#include "acl/acl_rt.h"
#include "aclnn/aclnn_base.h"
#include "gradproof/config.h"
#include "opt/runtime/blocks.h"
#include "opt/runtime/guarded_memory.h"
#include "opt/runtime/message.h"
#include "opt/runtime/stream_table.h"

namespace gradproof {
namespace {

/// Bytes from `at` to the end of the device block that it lies in; 0 outside of all.
std::size_t device_room(const void* at) {
  const auto room = blocks().room(at);
  return room && room->place == Place::device ? room->bytes : 0;
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
                 ? fail(ACL_ERROR_BAD_ALLOC, "%s: %zu bytes requested, but only %zu are left",
                        function, size, left)
                 : fail(ACL_ERROR_BAD_ALLOC, "%s: %s cannot provide %zu bytes", function, source,
                        size);
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
              "%s: %s (%p) is not the start of a live block of %s; was it already freed?", function,
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
  if (!freed && (owner == Owner::anybody || device_room(start) == 0)) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "%s: strict: %s (%p) is in device memory%s", function,
              argument, start, freed ? " that was freed" : ", but kind says host memory");
}

/// Checks one side of a copy or fill.
aclError check_range(const char* function, const char* argument, const void* start,
                     std::size_t count, Owner owner) {
  if (count == 0) return ACL_SUCCESS;
  if (start == nullptr) return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", function, argument);
  const auto block = blocks().room(start);  // none: memory of the program's own
  const std::size_t room = block ? block->bytes : SIZE_MAX;
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
    return fail(ACL_ERROR_INVALID_PARAM, "%s: kind is %d, which is not an aclrtMemcpyKind",
                function, static_cast<int>(kind));
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
  const std::size_t room = device_room(begin);
  if (bytes <= room) return {};
  char text[160];
  if (room > 0) {
    std::snprintf(text, sizeof text,
                  "needs %zu bytes at %p, but its block of aclrtMalloc has %zu there", bytes, begin,
                  room);
  } else {
    std::snprintf(text, sizeof text, "(%p) is not in a live block of aclrtMalloc%s", begin,
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
    return fail(ACL_ERROR_INVALID_PARAM, "%s: policy is 0x%x, which is not an aclrtMemMallocPolicy",
                __func__, static_cast<unsigned>(policy));
  }
  return allocate(__func__, "devPtr", devPtr, size, Place::device);
}

aclError aclrtFree(void* devPtr) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC,
                          [&] { return release("aclrtFree", "devPtr", devPtr, Place::device); });
}

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return allocate(__func__, "hostPtr", hostPtr, size, Place::host);
}

aclError aclrtFreeHost(void* hostPtr) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&] {
    return release("aclrtFreeHost", "hostPtr", hostPtr, Place::host);
  });
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const aclError status = check_copy("aclrtMemcpy", dst, destMax, src, count, kind);
    if (status == ACL_SUCCESS && count > 0) (void)perform(CopyBytes{dst, src, count});
    return status;
  });
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
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    const aclError status = check_fill("aclrtMemset", devPtr, maxCount, count);
    if (status == ACL_SUCCESS && count > 0) (void)perform(FillBytes{devPtr, value, count});
    return status;
  });
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
    return fail(ACL_ERROR_INVALID_PARAM, "%s: attr is %d, which is not an aclrtMemAttr", __func__,
                static_cast<int>(attr));
  }
  if (free == nullptr || total == nullptr) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %s is null", __func__,
                free == nullptr ? "free" : "total");
  }
  return without_throwing(__func__, ACL_ERROR_BAD_ALLOC, [&]() -> aclError {
    *free = blocks().available();
    *total = Blocks::total();
    return ACL_SUCCESS;
  });
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
