// The workspaces in use, by address: one entry for each workspace of a stream.
#include "opt/runtime/workspaces.h"

#include <algorithm>
#include <compare>
#include <map>
#include <mutex>

#include "opt/base/eternal.h"

namespace gradproof::workspaces {
namespace {

struct Place {
  std::uintptr_t begin;
  std::uint64_t bytes;
  std::uint32_t stream;

  auto operator<=>(const Place&) const = default;
};
struct Use {
  const char* api = "";
  std::uint64_t count = 0;  ///< calls that are not done
};
using Map = std::map<Place, Use>;

constexpr std::size_t kIdle = 16;

struct Uses {
  Map map;
  Map::value_type* latest = nullptr;  ///< that was looked up
  std::size_t idle = 0;       ///< entries without calls: they stay, so that loops allocate nothing
  std::uint64_t longest = 0;  ///< of those that were noted since none was in use
};

constinit std::mutex uses_mutex;
Uses& uses() {  // guarded by uses_mutex
  static Eternal<Uses> it;
  return *it;
}

/// The other stream's use that meets these bytes, if there is one.
User other_user(const Map& map, const Place& place, std::uint64_t longest) {
  const std::uintptr_t first = place.begin - std::min<std::uint64_t>(place.begin, longest);
  for (auto at = map.lower_bound({first, 0, 0}); at != map.end(); ++at) {
    const Place& one = at->first;
    if (one.begin >= place.begin && one.begin - place.begin >= place.bytes) break;
    const bool meet = one.begin >= place.begin || place.begin - one.begin < one.bytes;
    if (meet && one.stream != place.stream && at->second.count > 0)
      return {one.stream, at->second.api};
  }
  return {};
}

}  // namespace

User claim(const std::byte* workspace, std::uint64_t bytes, const User& user, bool alone) {
  const Place place{reinterpret_cast<std::uintptr_t>(workspace), bytes, user.stream};
  const std::lock_guard lock(uses_mutex);
  Uses& all = uses();
  if (alone && all.idle < all.map.size()) {
    const User other = other_user(all.map, place, all.longest);
    if (other.stream != 0) return other;
  }
  if (all.latest == nullptr || all.latest->first != place) {
    const auto [found, added] = all.map.try_emplace(place);
    all.idle += added;
    all.latest = &*found;
  }
  Use& own = all.latest->second;
  all.idle -= own.count == 0;
  own.api = user.api;
  ++own.count;
  all.longest = std::max(all.longest, bytes);
  return {};
}

void release(const std::byte* workspace, std::uint64_t bytes, std::uint32_t stream) noexcept {
  const std::lock_guard lock(uses_mutex);
  Uses& all = uses();
  const Place place{reinterpret_cast<std::uintptr_t>(workspace), bytes, stream};
  if (all.latest == nullptr || all.latest->first != place) {
    const auto found = all.map.find(place);
    if (found == all.map.end()) return;
    all.latest = &*found;
  }
  std::uint64_t& count = all.latest->second.count;
  if (count == 0 || --count > 0) return;
  if (all.idle < kIdle) {
    ++all.idle;
  } else {
    all.map.erase(place);
    all.latest = nullptr;
  }
  if (all.idle == all.map.size()) all.longest = 0;
}

void at_fork(Fork phase) noexcept {
  if (phase == Fork::ahead) {
    uses_mutex.lock();
    return;
  }
  // perhaps uncovered: forked child
  if (phase == Fork::in_child) {  // the parent's work is not the child's
    uses().map.clear();
    uses().latest = nullptr;
    uses().idle = 0;
  }
  uses_mutex.unlock();
}

}  // namespace gradproof::workspaces
