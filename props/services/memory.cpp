// Allocation, copies and fills.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "props/services/answers.h"
#include "props/services/services.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kBytes = 192;
constexpr auto kAny = ACL_MEMCPY_DEVICE_TO_DEVICE;

template <class E>
E number(int value) {
  return static_cast<E>(value);
}

/// One pair of an allocating and a freeing function; `other` frees the other kind of memory.
template <class Allocate>
void ask_blocks(Answers& is, const std::string& name, Allocate allocate, aclError (*release)(void*),
                aclError (*other)(void*)) {
  void* block = nullptr;
  is.status(name + " with a null pointer", allocate(nullptr, kBytes), ACL_ERROR_INVALID_PARAM);
  is.status(name + " of 0 bytes", allocate(&block, 0), ACL_ERROR_INVALID_PARAM);
  for (const std::size_t most : {std::numeric_limits<std::size_t>::max(), SIZE_MAX / 2})
    is.status(name + " of too much", allocate(&block, most), ACL_ERROR_BAD_ALLOC);
  is.that(name + " leaves its output alone when it refuses", block == nullptr);
  is.status(name, allocate(&block, kBytes), ACL_SUCCESS);
  if (block == nullptr) return;
  is.that(name + " aligns to 64 bytes", reinterpret_cast<std::uintptr_t>(block) % 64 == 0);
  is.status("freeing null", release(nullptr), ACL_ERROR_INVALID_PARAM);
  is.status("freeing inside a block", release(static_cast<std::byte*>(block) + 8),
            ACL_ERROR_INVALID_PARAM);
  is.status("freeing the other kind of memory", other(block), ACL_ERROR_INVALID_PARAM);
  is.status("freeing " + name, release(block), ACL_SUCCESS);
  is.status("freeing twice", release(block), ACL_ERROR_INVALID_PARAM);
}

/// The borders of copies; `copy` is one of the two functions, `done` waits for it.
template <class Copy, class Done>
void ask_copies(Answers& is, const std::string& name, std::byte* block, Copy copy, Done done) {
  std::vector<std::byte> host(kBytes + 8, std::byte{7});
  for (const int kind : {-1, 8}) {
    is.status(name + " of kind " + std::to_string(kind),
              copy(host.data(), kBytes, block, kBytes, number<aclrtMemcpyKind>(kind)),
              ACL_ERROR_INVALID_PARAM);
  }
  is.status(name + " above destMax", copy(block, kBytes - 1, host.data(), kBytes, kAny),
            ACL_ERROR_INVALID_PARAM);
  is.status(name + " to null", copy(nullptr, kBytes, host.data(), kBytes, kAny),
            ACL_ERROR_INVALID_PARAM);
  is.status(name + " from null", copy(block, kBytes, nullptr, kBytes, kAny),
            ACL_ERROR_INVALID_PARAM);
  is.status(name + " of nothing", copy(nullptr, 0, nullptr, 0, kAny), ACL_SUCCESS);
  is.status(name + " beyond a block", copy(block, kBytes + 1, host.data(), kBytes + 1, kAny),
            ACL_ERROR_INVALID_PARAM);
  is.status(name + " from beyond a block", copy(host.data(), kBytes, block + 1, kBytes, kAny),
            ACL_ERROR_INVALID_PARAM);
  for (std::size_t i = 0; i < kBytes; ++i) host[i] = static_cast<std::byte>(i);
  is.status(name, copy(block, kBytes, host.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  // Overlapping, by one byte.
  is.status(name + " within a block", copy(block + 1, kBytes - 1, block, kBytes - 1, kAny),
            ACL_SUCCESS);
  done();
  std::vector<std::byte> back(kBytes);
  is.status(name + " back", copy(back.data(), kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST),
            ACL_SUCCESS);
  done();
  is.that(name + " moves bytes that overlap",
          back[0] == host[0] && std::memcmp(back.data() + 1, host.data(), kBytes - 1) == 0);
}

template <class Fill, class Copy, class Done>
void ask_fills(Answers& is, const std::string& name, std::byte* block, Fill fill, Copy copy,
               Done done) {
  is.status(name + " above maxCount", fill(block, kBytes - 1, 0, kBytes), ACL_ERROR_INVALID_PARAM);
  is.status(name + " of null", fill(nullptr, kBytes, 0, kBytes), ACL_ERROR_INVALID_PARAM);
  is.status(name + " beyond a block", fill(block + 8, kBytes, 0, kBytes), ACL_ERROR_INVALID_PARAM);
  is.status(name + " of nothing", fill(nullptr, 0, 0, 0), ACL_SUCCESS);
  is.status(name, fill(block, kBytes, 0x11, kBytes), ACL_SUCCESS);
  is.status(name + " of a part", fill(block + 1, kBytes - 1, 0x1A2, kBytes - 2), ACL_SUCCESS);
  done();
  std::vector<std::byte> back(kBytes);
  copy(back.data(), kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST);
  bool right = back.front() == std::byte{0x11} && back.back() == std::byte{0x11};
  for (std::size_t i = 1; i + 1 < kBytes; ++i) right = right && back[i] == std::byte{0xA2};
  is.that(name + " sets these bytes, and no others, to the low byte of its value", right);
}

/// Mebibytes that this process may write. Memory that was never touched counts.
std::int64_t writable_mebibytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kibibytes = 0;
    if (word == "VmData:" && status >> kibibytes) return kibibytes >> 10;
  }
  return 0;
}

/// Blocks of growing size, so that none has room in one that was freed.
template <class Allocate>
void ask_growth(Answers& is, Allocate allocate, aclError (*release)(void*)) {
  constexpr std::size_t kLeast = 40, kMost = 256, kStep = 8;  // MiB
  constexpr std::int64_t kMostMore = 1024;                    // of 4 GiB
  const std::int64_t before = writable_mebibytes();
  for (std::size_t size = kLeast; size <= kMost; size += kStep) {
    void* block = nullptr;
    if (allocate(&block, size << 20) != ACL_SUCCESS) break;  // the memory may be limited
    is.status("aclrtFree of a large block", release(block), ACL_SUCCESS);
  }
  const std::int64_t more = writable_mebibytes() - before;
  is.that(
      "the memory of freed blocks is given back (blocks of 40 to 256 MiB were freed, and the "
      "process has " +
          std::to_string(more) + " MiB more)",
      more < kMostMore);
}

}  // namespace

std::string ask_memory(const Library& library) {
  GRADPROOF_FIND(malloc_device, aclrtMalloc);
  GRADPROOF_FIND(free_device, aclrtFree);
  GRADPROOF_FIND(malloc_host, aclrtMallocHost);
  GRADPROOF_FIND(free_host, aclrtFreeHost);
  GRADPROOF_FIND(copy, aclrtMemcpy);
  GRADPROOF_FIND(copy_async, aclrtMemcpyAsync);
  GRADPROOF_FIND(fill, aclrtMemset);
  GRADPROOF_FIND(fill_async, aclrtMemsetAsync);
  GRADPROOF_FIND(info, aclrtGetMemInfo);
  GRADPROOF_FIND(synchronize, aclrtSynchronizeStream);
  Answers is;

  const auto on_device = [&](void** out, std::size_t size) {
    return malloc_device(out, size, ACL_MEM_MALLOC_HUGE_FIRST);
  };
  ask_blocks(is, "aclrtMalloc", on_device, free_device, free_host);
  ask_blocks(is, "aclrtMallocHost", malloc_host, free_host, free_device);
  ask_growth(is, on_device, free_device);
  void* start = nullptr;
  for (const int policy : {-1, 8, 0x2000}) {
    is.status("aclrtMalloc with policy " + std::to_string(policy),
              malloc_device(&start, kBytes, number<aclrtMemMallocPolicy>(policy)),
              ACL_ERROR_INVALID_PARAM);
  }
  constexpr int kFlags = ACL_MEM_MALLOC_HUGE1G_ONLY_P2P | ACL_MEM_TYPE_HIGH_BAND_WIDTH;
  is.status("aclrtMalloc with flags",
            malloc_device(&start, kBytes, number<aclrtMemMallocPolicy>(kFlags)), ACL_SUCCESS);
  if (start == nullptr) return is.first();
  auto* const block = static_cast<std::byte*>(start);

  const auto wait = [&] { is.status("aclrtSynchronizeStream", synchronize(nullptr), ACL_SUCCESS); };
  ask_copies(is, "aclrtMemcpy", block, copy, [] {});
  ask_fills(is, "aclrtMemset", block, fill, copy, [] {});
  ask_copies(
      is, "aclrtMemcpyAsync", block,
      [&](void* to, std::size_t most, const void* from, std::size_t n, aclrtMemcpyKind kind) {
        return copy_async(to, most, from, n, kind, nullptr);
      },
      wait);
  ask_fills(
      is, "aclrtMemsetAsync", block,
      [&](void* to, std::size_t most, std::int32_t value, std::size_t n) {
        return fill_async(to, most, value, n, nullptr);
      },
      copy, wait);
  is.status("a stream that is none", fill_async(block, kBytes, 0, 1, block),
            ACL_ERROR_INVALID_RESOURCE_HANDLE);

  std::size_t left = 0, all = 0, fewer = 0;
  for (const int attribute : {-1, 12}) {
    is.status("aclrtGetMemInfo of " + std::to_string(attribute),
              info(number<aclrtMemAttr>(attribute), &left, &all), ACL_ERROR_INVALID_PARAM);
  }
  is.status("aclrtGetMemInfo without free", info(ACL_HBM_MEM, nullptr, &all),
            ACL_ERROR_INVALID_PARAM);
  is.status("aclrtGetMemInfo without total", info(ACL_HBM_MEM, &left, nullptr),
            ACL_ERROR_INVALID_PARAM);
  is.status("aclrtFree", free_device(block), ACL_SUCCESS);
  is.status("aclrtGetMemInfo", info(ACL_HBM_MEM, &left, &all), ACL_SUCCESS);
  void* more = nullptr;
  is.status("aclrtMallocHost", malloc_host(&more, kBytes), ACL_SUCCESS);
  is.status("aclrtGetMemInfo", info(ACL_DDR_MEM, &fewer, &all), ACL_SUCCESS);
  is.that("aclrtGetMemInfo knows what is taken", left <= all && left - fewer == kBytes);
  if (more != nullptr) is.status("aclrtFreeHost", free_host(more), ACL_SUCCESS);
  return is.first();
}

}  // namespace gradproof::props
