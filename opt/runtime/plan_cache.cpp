// The plans of the latest small calls, by everything that they depend on.
#include "opt/runtime/plan_cache.h"

#include <array>
#include <atomic>
#include <cstddef>

#include <pthread.h>

#include "opt/base/eternal.h"

namespace gradproof {
namespace {

constexpr std::uint64_t kMostWork = 1 << 20;  // bytes; then planning is a hundredth of the time
constexpr std::size_t kEntries = 64;

/// Read and written only by the thread that has set `taken`. In a child of fork() an entry may stay
/// taken.
struct Entry {
  std::atomic<bool> taken{false};
  PlanKey key;
  std::shared_ptr<const PlannedCall> plan;
};

std::array<Entry, kEntries>& entries() {
  static Eternal<std::array<Entry, kEntries>> it;
  return *it;
}

/// Holds an entry, unless another thread holds it.
class Taken {
 public:
  explicit Taken(Entry& entry)
      : entry_(entry.taken.exchange(true, std::memory_order_acquire) ? nullptr : &entry) {}
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
Entry& entry_of(const PlanKey& key) {
  const auto thread = static_cast<std::uint64_t>(pthread_self());
  return entries()[KeyPart::mixed(key.hash() ^ thread) % kEntries];
}

}  // namespace

std::shared_ptr<const PlannedCall> kept_plan(const PlanKey& key) noexcept {
  const Taken entry(entry_of(key));
  if (!entry || entry->plan == nullptr || !(entry->key == key)) return nullptr;
  return entry->plan;
}

void keep_plan(const PlanKey& key, std::shared_ptr<const PlannedCall> plan) noexcept {
  if (plan->work > kMostWork) return;
  const Taken entry(entry_of(key));
  if (!entry) return;
  entry->key = key;
  entry->plan.swap(plan);
}

void forget_plans() noexcept {
  for (Entry& one : entries()) {
    std::shared_ptr<const PlannedCall> forgotten;
    if (const Taken entry(one); entry) entry->plan.swap(forgotten);
  }
}

}  // namespace gradproof
