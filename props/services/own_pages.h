// Device memory in pages that nothing else is in.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "props/subject/memory.h"

namespace gradproof::props {

class OwnPages {
 public:
  static constexpr std::size_t kPage = 4096;

  /// A copy of `size` bytes of device memory; what is left of the last page is guarded.
  OwnPages(const Api& api, const void* from, std::size_t size)
      : api_(api), image_((size + kPage - 1) / kPage * kPage, std::byte{0xff}) {
    copy(image_.data(), from, size, ACL_MEMCPY_DEVICE_TO_HOST);
    require(api_, "aclrtMalloc",
            api_.malloc(&block_, image_.size() + kPage, ACL_MEM_MALLOC_HUGE_FIRST));
    const auto address = reinterpret_cast<std::uintptr_t>(block_);
    data_ = static_cast<std::byte*>(block_) + (kPage - address % kPage) % kPage;
    copy(data_, image_.data(), image_.size(), ACL_MEMCPY_HOST_TO_DEVICE);
  }
  ~OwnPages() { (void)api_.free(block_); }
  OwnPages(const OwnPages&) = delete;
  OwnPages& operator=(const OwnPages&) = delete;

  void* data() const { return data_; }
  bool changed() const {
    std::vector<std::byte> now(image_.size());
    copy(now.data(), data_, now.size(), ACL_MEMCPY_DEVICE_TO_HOST);
    return now != image_;
  }

 private:
  void copy(void* to, const void* from, std::size_t size, aclrtMemcpyKind kind) const {
    require(api_, "aclrtMemcpy", api_.memcpy(to, size, from, size, kind));
  }

  const Api& api_;
  std::vector<std::byte> image_;
  void* block_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace gradproof::props
