// Handles: opaque values that can be checked, whatever the caller passes.
//
// A handle is not a pointer but a number: kind (8 bits) | generation (32) | slot (24). The kind's
// byte makes it an address that no program can have (non-canonical), so that following one faults
// instead of reading somebody's memory. A slot's generation changes whenever its object is
// destroyed. A set of live addresses could not tell a stale handle from a new object at the same
// place; this can.
//
// A slot's state is one word, generation (32 bits) | live (1) | pins (31), so that looking up costs
// one atomic step and letting go another. Whoever lets go of the last pin of a handle that is
// destroyed ends its object and frees the slot. Slots are never destroyed: what they keep beside
// the object can be read without a pin (`peek`).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

#include "opt/runtime/pin.h"
#include "opt/runtime/process.h"
#include "opt/runtime/strict.h"

namespace gradproof {

enum class HandleKind : std::uint8_t {
  tensor = 0xA1,
  int_array,
  scalar,
  executor,
  stream,
  event,
  context,
  float_array,
  bool_array,
  tensor_list,
  scalar_list,
};
inline constexpr std::uint8_t kLastHandleKind = static_cast<std::uint8_t>(HandleKind::scalar_list);

/// "aclTensor".
const char* name(HandleKind kind) noexcept;

inline std::uint8_t kind_byte(const void* handle) {
  return static_cast<std::uint8_t>(reinterpret_cast<std::uintptr_t>(handle) >> 56);
}

/// Whether strict mode lists handles that are left over.
enum class Listed : std::uint8_t { yes, no };

/// What becomes of a table's objects in a child of fork().
enum class Inherited : std::uint8_t { kept, abandoned };

/// As many handles of one kind are alive as there can be.
class HandlesExhausted : public std::bad_alloc {
 public:
  const char* what() const noexcept override {
    return "the limit of 16777216 handles of a kind is reached; destroy some";
  }
};

/// Objects of one kind by handle. All functions may be called from several threads at once; those
/// that concern different objects only meet in the short list of free slots.
///
/// A table is constant-initialised and never destroyed, slots included: constructors of globals,
/// destructors of globals and threads that outlive main() may all use it.
template <class T>
class HandleTable {
 public:
  constexpr explicit HandleTable(HandleKind kind, Listed listed = Listed::yes,
                                 std::uint32_t capacity = kCapacity)
      : kind_(kind), listed_(listed), capacity_(capacity) {}
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  /// A new handle. Throws std::bad_alloc when memory runs out, HandlesExhausted without a slot.
  /// `fill` fills what the slot keeps beside the object, which is a former object's.
  template <class Fill>
  void* insert(std::shared_ptr<T> object, Fill&& fill) {
    Slot& slot = claim();
    slot.object = std::move(object);
    fill(slot.beside);
    // A free slot's state has neither pins nor the bit, and no other thread writes it.
    const std::uint64_t state = slot.state.load(std::memory_order_relaxed);
    slot.state.store(state | kLive, std::memory_order_release);
    void* const handle = encode(state, slot.index);
    if (strict::on() && listed_ == Listed::yes) strict::born(handle, name(kind_));
    return handle;
  }

  void* insert(std::shared_ptr<T> object) {
    return insert(std::move(object), [](Beside<T>&) {});
  }

  /// The object, or nothing if the handle is not live.
  Pin<T> find(const void* handle) const noexcept { return pin(handle, 0); }

  /// What the slot of a live handle keeps beside the object; null if the handle is not live. Other
  /// threads may destroy the handle at any time and use the slot again: what was read is the
  /// handle's if the sight lasts afterwards.
  const Beside<T>* peek(const void* handle, Sight& sight) const noexcept {
    const Slot* const slot = slot_of(handle);
    if (slot == nullptr) return nullptr;
    sight = {&slot->state, live_state(handle)};
    return sight.lasts() ? &slot->beside : nullptr;
  }

  /// Ends the handle and returns its object; null if it was not live. Of several threads that try,
  /// one gets the object.
  std::shared_ptr<T> remove(const void* handle) noexcept {
    const Pin<T> found = pin(handle, kLive);
    if (found == nullptr) return nullptr;
    ended(handle);
    return object_of_dead(found);
  }
  /// The same for a handle that was looked up.
  std::shared_ptr<T> take(const Pin<T>& pin) noexcept {
    Slot& slot = *pin.slot_;
    const std::uint64_t before = slot.state.fetch_and(~kLive, std::memory_order_acq_rel);
    if ((before & kLive) == 0) return nullptr;  // perhaps uncovered: race
    ended(encode(before, slot.index));
    return object_of_dead(pin);
  }

  /// The child has no thread that could hold the table's lock, and what was abandoned (objects with
  /// threads and locks of their own) is not alive in it, but not destroyed either.
  void at_fork(Fork phase, Inherited inherited) noexcept {
    if (phase != Fork::in_child) return;  // perhaps uncovered: forked child
    new (&mutex_) std::mutex;
    if (inherited == Inherited::kept) return;                // perhaps uncovered: forked child
    for (std::uint32_t index = 0; index < used_; ++index) {  // perhaps uncovered: forked child
      std::atomic<std::uint64_t>& state = existing_slot(index).state;
      const std::uint64_t before = state.load();
      // perhaps uncovered: forked child
      if ((before & kLive) != 0) state.store((before & ~kLive) + 1);  // with a pin that stays
    }
  }

  /// Calls `visit(std::shared_ptr<T>)` for every live object, without holding any lock, but pinned.
  template <class Visit>
  void for_each(Visit&& visit) {
    std::uint32_t used;
    {
      const std::lock_guard lock(mutex_);
      used = used_;
    }
    for (std::uint32_t index = 0; index < used; ++index) {
      const std::uint64_t state = existing_slot(index).state.load(std::memory_order_relaxed);
      if (const Pin<T> found = find(encode(state, index))) visit(found.share());
    }
  }

 private:
  friend Pin<T>;
  using Slot = HandleSlot<T>;

  static constexpr std::uint64_t kLive = Sight::kLive;
  static constexpr std::uint64_t kPins = Sight::kPins;

  // Slots come in chunks and never move, so lookups take no lock on the table. All chunks have one
  // size, so no handle waits while a large one is made.
  static constexpr std::uint32_t kChunk = 512;
  static constexpr std::size_t kChunks = (1u << 24) / kChunk;
  static constexpr std::uint32_t kCapacity = kChunk * kChunks;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  static_assert(sizeof(void*) == 8, "handles need 64 bits");

  static std::uint32_t index_of(const void* handle) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle)) & 0xFFFFFFu;
  }
  static std::uint32_t generation_of(const void* handle) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle) >> 24);
  }
  void* encode(std::uint64_t state, std::uint32_t index) const {
    const std::uint64_t value =
        std::uint64_t{static_cast<std::uint8_t>(kind_)} << 56 | state >> 32 << 24 | index;
    return reinterpret_cast<void*>(value);
  }

  /// Null if that part of the table does not exist yet.
  Slot* slot_at(std::uint32_t index) const noexcept {
    Slot* const slots = chunks_[index / kChunk].load(std::memory_order_acquire);
    return slots == nullptr ? nullptr : slots + index % kChunk;
  }
  Slot& existing_slot(std::uint32_t index) const noexcept {
    return chunks_[index / kChunk].load(std::memory_order_acquire)[index % kChunk];
  }

  /// The slot that a handle of this kind names, whatever is in it now; null of other values.
  Slot* slot_of(const void* handle) const noexcept {
    if (kind_byte(handle) != static_cast<std::uint8_t>(kind_)) return nullptr;
    return slot_at(index_of(handle));
  }
  /// The state of a live handle's slot, but for the pins.
  static std::uint64_t live_state(const void* handle) {
    return std::uint64_t{generation_of(handle)} << 32 | kLive;
  }

  /// Pins a live handle's object and takes `bits` from its state in the same step.
  Pin<T> pin(const void* handle, std::uint64_t bits) const noexcept {
    Slot* const slot = slot_of(handle);
    if (slot == nullptr) return {};
    const std::uint64_t live = live_state(handle);
    std::uint64_t state = slot->state.load(std::memory_order_relaxed);
    do {
      if ((state & ~kPins) != live) return {};
    } while (!slot->state.compare_exchange_weak(  // perhaps uncovered: race
        state, (state & ~bits) + 1, std::memory_order_acq_rel, std::memory_order_relaxed));
    return Pin<T>(slot);
  }

  void ended(const void* handle) const noexcept {
    if (strict::on() && listed_ == Listed::yes) strict::gone(handle);
  }

  /// The object of a handle that the caller has ended. Nobody can pin it any more, so where the
  /// caller's is the only pin it is moved.
  static std::shared_ptr<T> object_of_dead(const Pin<T>& pin) noexcept {
    Slot& slot = *pin.slot_;
    // perhaps uncovered: race
    if ((slot.state.load(std::memory_order_acquire) & kPins) == 1) return std::move(slot.object);
    return slot.object;
  }

  void unpin(Slot& slot) noexcept {
    std::uint64_t state = slot.state.load(std::memory_order_acquire);
    // The last pin of a handle that is destroyed is the caller's alone.
    if (!last_of_dead(state)) state = slot.state.fetch_sub(1, std::memory_order_acq_rel);
    if (last_of_dead(state)) free(slot, state);
  }
  static bool last_of_dead(std::uint64_t state) { return (state & (kLive | kPins)) == 1; }
  [[gnu::noinline]] void free(Slot& slot, std::uint64_t before) noexcept {
    slot.object = nullptr;
    // A slot whose generations are used up is never used again: no handle ever comes back.
    const std::uint64_t generation = before >> 32;
    // uncovered: 2^32 generations of a handle
    if (generation == std::numeric_limits<std::uint32_t>::max()) return;
    slot.state.store((generation + 1) << 32, std::memory_order_relaxed);
    std::uint64_t head = free_.load(std::memory_order_relaxed);
    do {
      slot.next_free.store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
      // perhaps uncovered: race
    } while (!free_.compare_exchange_weak(head, after(head) | slot.index, std::memory_order_release,
                                          std::memory_order_relaxed));
  }

  /// A slot that is the caller's alone.
  Slot& claim() {
    std::uint64_t head = free_.load(std::memory_order_acquire);
    while (static_cast<std::uint32_t>(head) != kNone) {
      Slot& slot = existing_slot(static_cast<std::uint32_t>(head));
      const std::uint32_t next = slot.next_free.load(std::memory_order_relaxed);
      // perhaps uncovered: race
      if (free_.compare_exchange_weak(head, after(head) | next, std::memory_order_acquire)) {
        return slot;
      }
    }
    const std::lock_guard lock(mutex_);
    if (used_ == capacity_) throw HandlesExhausted();  // uncovered: out of memory
    if (slot_at(used_) == nullptr) add_chunk();
    return existing_slot(used_++);
  }
  void add_chunk() {
    Slot* const slots = new Slot[kChunk];
    for (std::uint32_t i = 0; i < kChunk; ++i) {
      slots[i].table = this;
      slots[i].index = used_ + i;
    }
    chunks_[used_ / kChunk].store(slots, std::memory_order_release);
  }

  /// The upper half of the list's next head: a count, so that a head which was taken and came back
  /// is not taken for the same.
  static std::uint64_t after(std::uint64_t head) { return ((head >> 32) + 1) << 32; }

  const HandleKind kind_;
  const Listed listed_;
  const std::uint32_t capacity_;
  std::array<std::atomic<Slot*>, kChunks> chunks_{};
  std::atomic<std::uint64_t> free_{kNone};  ///< a count | the first free slot's index
  std::mutex mutex_;                        ///< guards `used_` and the making of chunks
  std::uint32_t used_ = 0;
};

}  // namespace gradproof
