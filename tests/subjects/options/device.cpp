// Kernels whose memory the host may not touch: as on a GPU, but the memory is this process', closed
// by mprotect everywhere except in the copy functions and in the kernels.
#include <sys/mman.h>

#include <cstring>
#include <gradproof/subject.hpp>
#include <map>
#include <mutex>

namespace {

std::mutex mutex;
std::map<void*, std::size_t> blocks;  // with their sizes

void* allocate(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const std::lock_guard lock(mutex);
  if (memory != MAP_FAILED) blocks[memory] = bytes;
  return memory != MAP_FAILED ? memory : nullptr;
}

void release(void* memory) {
  const std::lock_guard lock(mutex);
  munmap(memory, blocks[memory]);
  blocks.erase(memory);
}

/// Opens the block of an address while it lives.
class Opened {
 public:
  explicit Opened(const void* at) {
    const std::lock_guard lock(mutex);
    auto block = blocks.upper_bound(const_cast<void*>(at));
    if (at == nullptr || block == blocks.begin()) return;  // an empty tensor's
    memory_ = (--block)->first;
    bytes_ = block->second;
    mprotect(memory_, bytes_, PROT_READ | PROT_WRITE);
  }
  ~Opened() {
    if (memory_ != nullptr) mprotect(memory_, bytes_, PROT_NONE);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

void to_device(void* to, const void* from, std::size_t bytes) {
  const Opened opened(to);
  std::memcpy(to, from, bytes);
}
void to_host(void* to, const void* from, std::size_t bytes) {
  const Opened opened(from);
  std::memcpy(to, from, bytes);
}

template <class T>
void pool(const gradproof::subject::MaxPool2dWithMaskBackward<T>& c) {
  const Opened gradient(c.grad_output.data), positions(c.indices.data), mask(c.mask.data),
      result(c.grad_input.data);
  gradproof::subject::Sums sums(c.grad_input);
  const std::int64_t width = c.grad_input.shape[3];
  for (auto [n, k, i, j] : c.grad_output.positions()) {
    const std::int64_t at = c.indices(n, k, i, j);
    sums(n, k, at / width, at % width) += c.grad_output(n, k, i, j);
  }
}

template <class T>
void pad(const gradproof::subject::ReplicationPad2dBackward<T>& c) {
  const Opened gradient(c.grad_output.data), result(c.grad_input.data);
  gradproof::subject::Sums sums(c.grad_input);
  const std::int64_t zero = 0, H = c.grad_input.shape[2], W = c.grad_input.shape[3];
  for (auto [n, k, i, j] : c.grad_output.positions())
    sums(n, k, std::clamp(i - c.top, zero, H - 1), std::clamp(j - c.left, zero, W - 1)) +=
        c.grad_output(n, k, i, j);
#ifdef WRITES_INPUT
  if (c.grad_output.size() > 0) *reinterpret_cast<char*>(const_cast<T*>(c.grad_output.data)) ^= 1;
#endif
}

}  // namespace

GRADPROOF_KERNEL(max_pool2d_with_mask_backward, pool)
GRADPROOF_KERNEL(replication_pad2d_backward, pad)
GRADPROOF_POSITIONS
GRADPROOF_DEVICE(allocate, release, to_device, to_host)
