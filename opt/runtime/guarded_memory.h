// Device memory of strict mode: in pages of its own, between red zones, under the device's
// protection key; after its end out of reach for a while.
#pragma once

#include <cstddef>

namespace gradproof {

/// `size` bytes, aligned to 64 or more, filled with a pattern; null if there are none to be had.
void* guarded_allocate(std::size_t size) noexcept;

/// How far from the block's start the first damaged byte of its red zones lies: negative before
/// the block, at least `size` behind it, 0 if there is none. Repairs what it finds.
std::ptrdiff_t damage(void* start, std::size_t size) noexcept;

/// Frees the block: any access faults until other freed memory has pushed it out of the quarantine.
void guarded_free(void* start, std::size_t size) noexcept;

/// Whether the address lies in memory that was freed and is still kept. Safe in a signal handler.
bool in_quarantine(const void* address) noexcept;

}  // namespace gradproof
