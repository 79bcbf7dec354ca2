// Stands before the C library's allocator. The loader looks symbols up in the program first, so the
// libraries that it loads come here too.
#include "bench/allocations.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {
std::atomic<std::uint64_t> count{0};
void counted() { count.fetch_add(1, std::memory_order_relaxed); }
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t many, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
  counted();
  return __libc_malloc(bytes);
}
void* calloc(std::size_t many, std::size_t bytes) {
  counted();
  return __libc_calloc(many, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  counted();
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  counted();
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  counted();
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
}

std::uint64_t gradproof::bench::allocations() { return count.load(); }
