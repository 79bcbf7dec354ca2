// The object behind a handle, and how a reader keeps it alive.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace gradproof {

template <class T>
class HandleTable;

/// What a slot keeps beside its object: values that change, or are read without a pin. All of it is
/// atomic.
template <class T>
struct Beside {};

/// A look at the slot of a live handle, which it does not pin. Two that are equal saw one object.
struct Sight {
  static constexpr std::uint64_t kLive = std::uint64_t{1} << 31;
  static constexpr std::uint64_t kPins = kLive - 1;

  const std::atomic<std::uint64_t>* state;
  std::uint64_t live;  ///< the state, but for the pins

  /// Whether the handle is still live, so that what was read meanwhile is its own.
  bool lasts() const { return (state->load(std::memory_order_acquire) & ~kPins) == live; }
  bool operator==(const Sight&) const = default;
};

template <class T>
struct HandleSlot {
  std::atomic<std::uint64_t> state{std::uint64_t{1} << 32};
  std::shared_ptr<T> object;  ///< set while live or pinned, unless `take` moved it away
  HandleTable<T>* table = nullptr;
  std::uint32_t index = 0;
  std::atomic<std::uint32_t> next_free{0};
  [[no_unique_address]] Beside<T> beside;
};

/// An object that was looked up, or nothing. Keeps the object alive even if its handle is destroyed
/// meanwhile. Pins must not outlive their table; `share` gives what may.
template <class T>
class Pin {
 public:
  Pin() = default;
  explicit Pin(HandleSlot<T>* slot) : slot_(slot), object_(slot->object.get()) {}
  /// An object without a handle, which stays for ever: `share` and `beside` are not for it.
  explicit Pin(T* eternal) : object_(eternal) {}
  Pin(Pin&& other) noexcept
      : slot_(std::exchange(other.slot_, nullptr)),
        object_(std::exchange(other.object_, nullptr)) {}
  Pin& operator=(Pin&& other) noexcept {
    std::swap(slot_, other.slot_);
    std::swap(object_, other.object_);
    return *this;
  }
  ~Pin() {
    if (slot_ != nullptr) slot_->table->unpin(*slot_);
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  bool operator==(std::nullptr_t) const { return object_ == nullptr; }
  std::shared_ptr<T> share() const { return slot_->object; }
  Beside<T>& beside() const { return slot_->beside; }

 private:
  friend HandleTable<T>;
  HandleSlot<T>* slot_ = nullptr;
  T* object_ = nullptr;
};

}  // namespace gradproof
