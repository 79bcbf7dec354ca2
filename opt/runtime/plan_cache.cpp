// The plans of the latest small calls, by everything that they depend on.
#include "opt/runtime/plan_cache.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

#include <pthread.h>

namespace gradproof {
namespace {

constexpr std::uint64_t kMostWork = 1 << 20;  // bytes; then planning is a hundredth of the time
constexpr std::size_t kEntries = 64;

/// Read and written only by the thread that has set `taken`. In a child of fork() an entry may stay
/// taken.
struct Entry {
  std::atomic<bool> taken{false};
  KeptKey key;
  std::shared_ptr<const PlannedCall> plan;
};

constinit std::atomic<Entry*> made{nullptr};  // `kEntries` of them, for ever

/// Null where there is no memory. Threads that make them at the same time do not wait for each
/// other, which a child of fork() could not end: the first one's are taken.
Entry* entries() noexcept {
  Entry* all = made.load(std::memory_order_acquire);
  if (all != nullptr) return all;
  // perhaps uncovered: out of memory
  std::unique_ptr<Entry[]> own(new (std::nothrow) Entry[kEntries]);
  // perhaps uncovered: race
  return made.compare_exchange_strong(all, own.get(), std::memory_order_acq_rel) ? own.release()
                                                                                 : all;
}

/// Holds an entry, unless there is none or another thread holds it.
class Taken {
 public:
  explicit Taken(Entry* entry)
      : entry_(entry == nullptr || entry->taken.exchange(true, std::memory_order_acquire) ? nullptr
                                                                                          : entry) {
  }
  ~Taken() {
    if (entry_ != nullptr) entry_->taken.store(false, std::memory_order_release);
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  Entry* operator->() const { return entry_; }
  explicit operator bool() const { return entry_ != nullptr; }

 private:
  Entry* entry_;
};

/// Threads that make the same call have an entry each.
Entry* entry_of(const PlanKey& key) noexcept {
  const auto thread = static_cast<std::uint64_t>(pthread_self());
  Entry* const all = entries();
  return all != nullptr ? all + KeyPart::mixed(key.hash() ^ thread) % kEntries : nullptr;
}

}  // namespace

std::shared_ptr<const PlannedCall> kept_plan(const PlanKey& key) noexcept {
  const Taken entry(entry_of(key));
  if (!entry || entry->plan == nullptr || !entry->key.equals(key)) return nullptr;
  return entry->plan;
}

void keep_plan(const PlanKey& key, std::shared_ptr<const PlannedCall> plan) noexcept {
  if (plan->work > kMostWork) return;
  const Taken entry(entry_of(key));
  if (!entry) return;
  entry->key.keep(key);
  entry->plan.swap(plan);
}

void forget_plans() noexcept {
  Entry* const all = made.load(std::memory_order_acquire);
  for (std::size_t i = 0; all != nullptr && i < kEntries; ++i) {
    std::shared_ptr<const PlannedCall> forgotten;
    if (const Taken entry(all + i); entry) entry->plan.swap(forgotten);
  }
}

}  // namespace gradproof
