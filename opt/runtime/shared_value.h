// A value that one thread may change while others read it.
#pragma once

#include <atomic>

namespace gradproof {

/// Reads and writes are atomic, each by itself. Who has read a value sees all that its writer did
/// before.
template <class Value>
class SharedValue {
 public:
  constexpr SharedValue(Value value = {}) : value_(value) {}
  SharedValue(const SharedValue& other) : SharedValue(static_cast<Value>(other)) {}
  SharedValue& operator=(const SharedValue& other) { return *this = static_cast<Value>(other); }
  SharedValue& operator=(Value value) {
    value_.store(value, std::memory_order_release);
    return *this;
  }
  operator Value() const { return value_.load(std::memory_order_acquire); }

 private:
  std::atomic<Value> value_;
};

}  // namespace gradproof
