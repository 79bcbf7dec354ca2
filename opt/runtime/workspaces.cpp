// The list of workspaces in use. It is short: one entry for each workspace of a stream.
#include "opt/runtime/workspaces.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "opt/base/eternal.h"

namespace gradproof::workspaces {
namespace {

struct Use {
  std::uintptr_t begin = 0;
  std::uint64_t bytes = 0;
  User user;
  std::uint64_t count = 0;  ///< calls that are not done
};

constinit std::mutex uses_mutex;
std::vector<Use>& uses() {  // guarded by uses_mutex
  static Eternal<std::vector<Use>> it;
  return *it;
}

bool meet(const Use& a, std::uintptr_t begin, std::uint64_t bytes) {
  const std::uint64_t ahead = begin - a.begin;
  return ahead < a.bytes || 0 - ahead < bytes;
}

}  // namespace

User claim(const std::byte* workspace, std::uint64_t bytes, const User& user, bool alone) {
  const auto begin = reinterpret_cast<std::uintptr_t>(workspace);
  const std::lock_guard lock(uses_mutex);
  Use* own = nullptr;
  for (Use& use : uses()) {
    if (use.user.stream != user.stream) {
      if (alone && meet(use, begin, bytes)) return use.user;
    } else if (use.begin == begin && use.bytes == bytes) {
      own = &use;
    }
  }
  if (own == nullptr) own = &uses().emplace_back(Use{begin, bytes, user, 0});
  own->user.api = user.api;
  ++own->count;
  return {};
}

void release(const std::byte* workspace, std::uint64_t bytes, std::uint32_t stream) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(workspace);
  const std::lock_guard lock(uses_mutex);
  const auto found = std::find_if(uses().begin(), uses().end(), [&](const Use& use) {
    return use.begin == begin && use.bytes == bytes && use.user.stream == stream;
  });
  if (found == uses().end() || --found->count > 0) return;
  *found = uses().back();
  uses().pop_back();
}

void at_fork(Fork phase) noexcept {
  if (phase == Fork::ahead) {
    uses_mutex.lock();
    return;
  }
  if (phase == Fork::in_child) uses().clear();  // the parent's work is not the child's
  uses_mutex.unlock();
}

}  // namespace gradproof::workspaces
