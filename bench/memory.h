// Memory of what is measured: large pages, touched before, and put out of the caches on demand.
#pragma once

#include <cstddef>
#include <span>

namespace gradproof::bench {

/// Bytes of zeros that are mapped before anything is timed. All contestants keep their tensors in
/// such memory, so that none is faster by the luck of its pages.
class Buffer {
 public:
  /// `place` says which of its contestant's buffers it is: each begins elsewhere within a page, and
  /// equal ones of two contestants begin alike. Throws std::bad_alloc.
  Buffer(std::size_t bytes, int place);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&&) = delete;

  std::byte* data() const { return data_; }
  std::span<std::byte> bytes() const { return {data_, bytes_}; }

 private:
  std::byte *mapping_ = nullptr, *data_ = nullptr;
  std::size_t bytes_ = 0, mapped_ = 0;
};

/// Writes back and drops these bytes from every cache of the machine.
void flush(std::span<const std::byte> bytes);

}  // namespace gradproof::bench
