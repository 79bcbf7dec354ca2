// Every live block of device and host memory, so that frees and copies can be checked.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "gradproof/config.h"
#include "opt/base/status.h"
#include "opt/runtime/block_pool.h"
#include "opt/runtime/memory.h"
#include "opt/runtime/process.h"
#include "opt/runtime/strict.h"

namespace gradproof {

enum class Place : std::uint8_t { device, host };

/// The device's size is the machine's memory, or its control group's: what does not fit is refused,
/// instead of promised and then killed for.
class Blocks {
 public:
  Blocks();

  /// Null if it does not fit, or if `source` has none. Throws std::bad_alloc.
  void* allocate(std::size_t size, Place place, const char*& source);
  /// False if it is no live block of the place. `status` says if its red zones were damaged.
  bool release(void* start, Place place, Status& status);
  /// Blocks from now on come from there; a null function means the system.
  void use(const gradproofAllocator& allocator);
  /// Frees what is kept for later.
  void trim();

  MemoryCounts counts() const;
  std::size_t available() const;
  static std::size_t total();

  /// Bytes from `at` to the end of the block that it lies in, and whose block it is; nothing
  /// outside of all.
  struct Room {
    std::size_t bytes;
    Place place;
  };
  std::optional<Room> room(const void* at) const;
  /// The first damage that is found.
  Status check_all_zones() const;
  void tell_leaks() const;
  void at_fork(Fork phase);

 private:
  struct Block {
    std::size_t size = 0;
    Place place = Place::device;
    bool guarded = false;            ///< from guarded_allocate
    strict::Site site;               ///< empty outside of strict mode
    std::size_t room = 0;            ///< bytes from the system, if not guarded; at least the size
    gradproofAllocator allocator{};  ///< the program's, unless its function is null
  };

  bool enlist(void* start, const Block& block);
  void forgo(std::size_t size, Place place);
  std::size_t taken() const { return taken_[0] + taken_[1]; }
  std::size_t& taken_of(Place place) { return taken_[static_cast<std::size_t>(place)]; }

  /// The block's memory, null if there is none. Without the lock: it may take long.
  void* obtain(std::size_t size, Block& block);
  static void* from_program(const Block& block);
  static void give_back(void* start, const Block& block);
  static gradproofMemory kind(const Block& block);
  static Status check_zones(void* start, const Block& block);

  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Block> live_;
  std::array<std::size_t, 2> taken_{};  ///< by place
  std::size_t most_ = 0;
  gradproofAllocator allocator_{};
  BlockPool pool_;
};

/// The process's.
Blocks& blocks();

}  // namespace gradproof
