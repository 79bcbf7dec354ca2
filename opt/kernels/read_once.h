// Reads memory that another thread may change: indices, and tables in the workspace.
//
// Tensors and workspace are the caller's memory. Whatever a caller lets happen to them while a
// kernel runs, the kernel stays within them: an index is read once, and the value that is checked
// is the one that is followed; a position or a count that is read back from the workspace is read
// once, and kept within its bounds before it is followed. Values that are only computed with
// need no such care; they make the result wrong, and nothing else.
#pragma once

#include <algorithm>
#include <atomic>

namespace gradproof::kernels {

/// One load, which no compiler repeats.
template <class T>
T read_once(const T& value) {
  return __atomic_load_n(&value, __ATOMIC_RELAXED);
}

/// For loads of several elements, right after them: what was read is not read again.
inline void no_second_read() { std::atomic_signal_fence(std::memory_order_seq_cst); }

/// For local memory that was made from such loads, and is kept within bounds: what is in it now is
/// what is followed. Other memory may still be read before or after.
template <class T>
void keep(T& local) {
  asm volatile("" : "+m"(local));
}

/// One element, kept within [least, most].
template <class T>
T read_within(const T& value, T least, T most) {
  return std::min(std::max(read_once(value), least), most);
}

}  // namespace gradproof::kernels
