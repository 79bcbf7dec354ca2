// A pointer that one thread may change while others read it.
#pragma once

#include <atomic>

namespace gradproof {

/// Reads and writes are atomic, each by itself; nothing else is ordered by them.
class Address {
 public:
  Address(void* address = nullptr) : address_(address) {}
  Address(const Address& other) : Address(static_cast<void*>(other)) {}
  Address& operator=(const Address& other) { return *this = static_cast<void*>(other); }
  Address& operator=(void* address) {
    address_.store(address, std::memory_order_relaxed);
    return *this;
  }
  operator void*() const { return address_.load(std::memory_order_relaxed); }

 private:
  std::atomic<void*> address_;
};

}  // namespace gradproof
