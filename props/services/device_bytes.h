// Bytes on the device for tasks of a stream: a library need not take the host's memory there.
#pragma once

#include <cstddef>
#include <vector>

#include "props/subject/memory.h"

namespace gradproof::props {

class DeviceBytes {
 public:
  /// All bytes 0. Throws SubjectFailure if the library's memory functions fail.
  DeviceBytes(const Api& api, std::size_t size) : api_(api), size_(size) {
    require(api_, "aclrtMalloc", api_.malloc(&block_, size_, ACL_MEM_MALLOC_HUGE_FIRST));
    const std::vector<unsigned char> zeros(size_);
    if (const auto status =
            api_.memcpy(block_, size_, zeros.data(), size_, ACL_MEMCPY_HOST_TO_DEVICE);
        status != 0) {
      (void)api_.free(block_);
      require(api_, "aclrtMemcpy", status);
    }
  }
  ~DeviceBytes() { (void)api_.free(block_); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  std::size_t size() const { return size_; }
  unsigned char* data() const { return static_cast<unsigned char*>(block_); }
  /// What they are now.
  std::vector<unsigned char> read() const {
    std::vector<unsigned char> bytes(size_);
    require(api_, "aclrtMemcpy",
            api_.memcpy(bytes.data(), size_, block_, size_, ACL_MEMCPY_DEVICE_TO_HOST));
    return bytes;
  }

 private:
  const Api& api_;
  const std::size_t size_;
  void* block_ = nullptr;
};

}  // namespace gradproof::props
