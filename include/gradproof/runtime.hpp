/// The runtime for C++: the library's life, streams, device memory.
///
/// C++17 and later. An owner's destructor ends what it owns and tells nobody of a failure; the
/// member function that does the same answers it.
#ifndef GRADPROOF_RUNTIME_HPP_
#define GRADPROOF_RUNTIME_HPP_

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>

#include "gradproof/expected.hpp"

namespace gradproof::aclnn {

/// The library from aclInit to aclFinalize. Everything else ends before it.
class Library {
 public:
  /// Owns nothing.
  Library() = default;
  /// aclInit. `config_path` is null or names its JSON file; the errors are acl/acl.h's.
  static Expected<Library> start(const char* config_path = nullptr) {
    if (const aclError status = aclInit(config_path); status != ACL_SUCCESS) {
      return Error::recent(status);
    }
    Library library;
    library.running_ = true;
    return library;
  }
  /// The other one owns nothing afterwards.
  Library(Library&& other) noexcept : running_(std::exchange(other.running_, false)) {}
  /// Exchanges the two.
  Library& operator=(Library&& other) noexcept {
    std::swap(running_, other.running_);
    return *this;
  }
  ~Library() {
    if (running_) (void)aclFinalize();
  }

  /// aclFinalize, and its answer.
  Expected<void> finish() {
    running_ = false;
    return detail::checked(aclFinalize());
  }

 private:
  bool running_ = false;
};

/// An ordered queue of work. One that was made without `create` stands for the default stream.
class Stream {
 public:
  /// The default stream.
  Stream() = default;
  /// aclrtCreateStream; the error is 200000 where memory or threads run out.
  static Expected<Stream> create() {
    aclrtStream handle = nullptr;
    if (const aclError status = aclrtCreateStream(&handle); status != ACL_SUCCESS) {
      return Error::recent(status);
    }
    return Stream(handle);
  }

  /// The handle for the C API; null is the default stream. The owner keeps it.
  aclrtStream get() const noexcept { return handle_.get(); }
  /// Waits for the work enqueued so far; the error is the first of that work.
  Expected<void> synchronize() const { return detail::checked(aclrtSynchronizeStream(get())); }
  /// Finishes the work and ends the stream; the error is of work that nobody synchronised with.
  Expected<void> destroy() { return detail::checked(aclrtDestroyStream(handle_.release())); }

 private:
  explicit Stream(aclrtStream handle) : handle_(handle) {}
  std::unique_ptr<void, detail::Destroy<aclrtStream, &aclrtDestroyStream>> handle_;
};

/// Device memory of `size()` elements of T. As with a pointer, constness is not that of the memory.
template <class T>
class Buffer {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  /// Owns nothing.
  Buffer() = default;
  /// Room for `count` elements, above 0, without defined contents. The errors are aclrtMalloc's:
  /// 100000 for none, 200000 where they do not fit.
  static Expected<Buffer> allocate(std::size_t count) {
    // A number of bytes that wraps would be a buffer smaller than its size.
    const std::size_t bytes = count <= static_cast<std::size_t>(-1) / sizeof(T)
                                  ? count * sizeof(T)
                                  : static_cast<std::size_t>(-1);
    void* memory = nullptr;
    if (const aclError status = aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
        status != ACL_SUCCESS) {
      return Error::recent(status);
    }
    return Buffer(static_cast<T*>(memory), count);
  }
  /// The same with a copy of a contiguous range (vector, array, span) of T that is not empty.
  template <class Range>
  static Expected<Buffer> copy_of(const Range& values) {
    Expected<Buffer> buffer = allocate(std::size(values));
    if (!buffer) return buffer;
    if (Expected<void> copied = buffer->read_from(values); !copied) return copied.error();
    return buffer;
  }

  /// The first element, in device memory; null if it owns nothing.
  T* data() const noexcept { return memory_.get(); }
  /// In elements.
  std::size_t size() const noexcept { return count_; }
  /// In bytes.
  std::size_t bytes() const noexcept { return count_ * sizeof(T); }

  /// Copies a contiguous range of T from the host into the buffer's first elements, at once. The
  /// error is 100000 for a range that is longer than the buffer.
  template <class Range>
  Expected<void> read_from(const Range& host) {
    const T* from = std::data(host);
    return detail::checked(
        aclrtMemcpy(data(), bytes(), from, std::size(host) * sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE));
  }
  /// Copies the whole buffer into a contiguous range of T on the host, at once. The error is 100000
  /// for a range that is shorter.
  template <class Range>
  Expected<void> write_to(Range&& host) const {
    T* to = std::data(host);
    return detail::checked(
        aclrtMemcpy(to, std::size(host) * sizeof(T), data(), bytes(), ACL_MEMCPY_DEVICE_TO_HOST));
  }
  /// Gives the memory back; work that uses it must be done.
  Expected<void> free() {
    count_ = 0;
    return detail::checked(aclrtFree(memory_.release()));
  }

 private:
  Buffer(T* memory, std::size_t count) : memory_(memory), count_(count) {}
  std::unique_ptr<T, detail::Destroy<T*, &aclrtFree>> memory_;
  std::size_t count_ = 0;
};

}  // namespace gradproof::aclnn

#endif
