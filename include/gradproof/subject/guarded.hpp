/// Memory that ends at an inaccessible page; for the kit's own use.
#ifndef GRADPROOF_SUBJECT_GUARDED_HPP_
#define GRADPROOF_SUBJECT_GUARDED_HPP_

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>

namespace gradproof::subject::detail {

/// A kernel that reads or writes behind its copy ends the process, and so is found.
class GuardedMemory {
 public:
  GuardedMemory() = default;
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory() {
    if (begin_ != nullptr) munmap(begin_, mapped_);
  }

  /// Once. Aligned to elements whose size divides `bytes` and the page. Throws std::bad_alloc.
  void allocate(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t room = (bytes + page - 1) / page * page;
    void* const memory =
        mmap(nullptr, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<char*>(memory);
    mapped_ = room + page;
    if (mprotect(begin_ + room, page, PROT_NONE) != 0) throw std::bad_alloc();
    data_ = begin_ + room - bytes;
  }

  /// nullptr before that.
  char* data() const { return data_; }

 private:
  char *begin_ = nullptr, *data_ = nullptr;
  std::size_t mapped_ = 0;
};

}  // namespace gradproof::subject::detail

#endif
