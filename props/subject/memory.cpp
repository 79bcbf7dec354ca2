// Guarded device memory.
#include "props/subject/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "props/subject/step.h"

namespace gradproof::props {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kUsual = std::size_t{64} << 20;

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::optional<Change> compare(const std::byte* expected, const std::byte* found, std::size_t count,
                              std::size_t at) {
  if (std::memcmp(expected, found, count) == 0) return std::nullopt;
  const std::size_t i =
      static_cast<std::size_t>(std::mismatch(expected, expected + count, found).first - expected);
  return Change{static_cast<std::int64_t>(at + i) - static_cast<std::int64_t>(Block::kGuard),
                static_cast<std::uint8_t>(expected[i]), static_cast<std::uint8_t>(found[i])};
}

}  // namespace

std::string_view words(Fence fence) {
  switch (fence) {
    case Fence::none: break;
    case Fence::before:
      return ", with an inaccessible page directly before each tensor and the workspace";
    case Fence::behind:
      return ", with an inaccessible page directly behind each tensor and the workspace";
  }
  return "";
}

void require(const Api& api, const char* name, std::int32_t status) {
  if (status == 0) return;
  const char* message = api.recent_error != nullptr ? api.recent_error() : nullptr;
  throw SubjectFailure(std::string(name) + " returned " + std::to_string(status) +
                       (message != nullptr && *message != '\0' ? std::string(": ") + message : ""));
}

Forbidden::Forbidden() {
  // Where addresses are limited (ulimit -v), they are left to the library.
  for (const std::size_t bytes : {std::size_t{1} << 40, std::size_t{1} << 24}) {
    void* at = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) continue;
    data_ = static_cast<std::byte*>(at);
    bytes_ = bytes;
    return;
  }
  throw SubjectFailure("mmap: " + std::generic_category().message(errno));
}

Forbidden::~Forbidden() { munmap(data_, bytes_); }

void Block::prepare(std::size_t bytes, Fence fence, std::size_t alignment) {
  const std::size_t page = fence == Fence::none ? 0 : page_size();
  const std::size_t kept = (bytes + alignment - 1) / alignment * alignment;
  // A page before the guard at the most, and the fence's behind it.
  const std::size_t needed = kept + 2 * kGuard + 3 * page;
  if (needed > capacity_) {
    release();
    const std::size_t size = needed < kUsual ? std::bit_ceil(needed) : needed;
    void* device = nullptr;
    const Within step(Step::memory);
    require(api_, "aclrtMalloc", api_.malloc(&device, size, ACL_MEM_MALLOC_HUGE_FIRST));
    if (device == nullptr)
      throw SubjectFailure("aclrtMalloc succeeded but returned a null pointer");
    device_ = static_cast<std::byte*>(device);
    capacity_ = size;
  }
  bytes_ = bytes;
  data_ = device_ + kGuard;
  page_ = nullptr;
  if (fence == Fence::none) return;
  const auto up = [page](std::byte* at) {
    return at + (page - reinterpret_cast<std::uintptr_t>(at) % page) % page;
  };
  const bool behind = fence == Fence::behind;
  page_ = up(behind ? data_ + kept : device_);
  data_ = behind ? page_ - kept : page_ + page;
}

void Block::set_accessible(bool accessible) const {
  if (page_ == nullptr) return;
  const Within step(Step::memory);
  if (mprotect(page_, page_size(), accessible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0) return;
  throw SubjectFailure("device memory is not memory of the process: mprotect: " +
                       std::generic_category().message(errno));
}

std::vector<std::byte>& Block::make_image(std::uint8_t poison) {
  image_.assign(bytes_ + 2 * kGuard, std::byte{poison});
  return image_;
}

void Block::upload() { copy_in(0, image_.data(), image_.size()); }

std::vector<std::byte>& Block::download() {
  downloaded_.resize(bytes_ + 2 * kGuard);
  copy_out(0, downloaded_.data(), downloaded_.size());
  return downloaded_;
}

std::optional<Change> Block::first_change(bool downloaded) {
  if (downloaded) return compare(image_.data(), downloaded_.data(), image_.size(), 0);
  downloaded_.resize(std::min(kChunk, image_.size()));
  for (std::size_t at = 0; at < image_.size(); at += kChunk) {
    const std::size_t count = std::min(kChunk, image_.size() - at);
    copy_out(at, downloaded_.data(), count);
    if (const auto change = compare(image_.data() + at, downloaded_.data(), count, at))
      return change;
  }
  return std::nullopt;
}

void Block::poison_guards(std::uint8_t poison, std::uint8_t contents) {
  const std::size_t filled = std::min<std::size_t>(bytes_, std::size_t{16} << 20);
  image_.assign(kGuard + filled, std::byte{contents});
  std::fill_n(image_.begin(), kGuard, std::byte{poison});
  copy_in(0, image_.data(), image_.size());
  copy_in(kGuard + bytes_, image_.data(), kGuard);
}

std::optional<Change> Block::first_guard_change(std::uint8_t poison) {
  const std::vector<std::byte> expected(kGuard, std::byte{poison});
  std::vector<std::byte> found(kGuard);
  copy_out(0, found.data(), kGuard);
  if (const auto change = compare(expected.data(), found.data(), kGuard, 0)) return change;
  copy_out(kGuard + bytes_, found.data(), kGuard);
  return compare(expected.data(), found.data(), kGuard, kGuard + bytes_);
}

std::int64_t Block::changed_behind(std::uint8_t poison) {
  std::vector<std::byte> found(kGuard);
  copy_out(kGuard + bytes_, found.data(), kGuard);
  while (!found.empty() && found.back() == std::byte{poison}) found.pop_back();
  return static_cast<std::int64_t>(found.size());
}

void Block::trim() {
  if (capacity_ > kUsual) release();
  for (std::vector<std::byte>* host : {&image_, &downloaded_}) {
    if (host->capacity() > kUsual) std::vector<std::byte>().swap(*host);
  }
}

void Block::release() {
  const Within step(Step::memory);
  if (device_ != nullptr) api_.free(device_);
  device_ = data_ = page_ = nullptr;
  capacity_ = bytes_ = 0;
}

void Block::copy_in(std::size_t at, const std::byte* from, std::size_t count) {
  const Within step(Step::memory);
  require(api_, "aclrtMemcpy",
          api_.memcpy(data_ - kGuard + at, count, from, count, ACL_MEMCPY_HOST_TO_DEVICE));
}

void Block::copy_out(std::size_t at, std::byte* to, std::size_t count) {
  const Within step(Step::memory);
  require(api_, "aclrtMemcpy",
          api_.memcpy(to, count, data_ - kGuard + at, count, ACL_MEMCPY_DEVICE_TO_HOST));
}

}  // namespace gradproof::props
