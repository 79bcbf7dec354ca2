// The library's own access to device memory, which strict mode keeps from the program's threads.
#pragma once

#include <atomic>

#include <sys/mman.h>

namespace gradproof {

/// The memory protection key of device memory; -1 while strict mode never had one. Kept for ever:
/// memory may outlive the mode.
inline constinit std::atomic<int> device_key{-1};

/// While it lives, the current thread may touch device memory. Without a key it costs a test.
class DeviceAccess {
 public:
  DeviceAccess() : key_(device_key.load(std::memory_order_relaxed)) {
    if (key_ < 0) return;
    saved_ = pkey_get(key_);
    pkey_set(key_, 0);
  }
  ~DeviceAccess() {
    // perhaps uncovered: protection keys
    if (key_ >= 0) pkey_set(key_, static_cast<unsigned>(saved_));
  }
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;

 private:
  int key_;
  int saved_ = 0;
};

}  // namespace gradproof
