// Reads memory that another thread may change: indices, and tables in the workspace.
//
// Tensors and workspace are the caller's memory. Whatever a caller lets happen to them while a
// kernel runs, the kernel stays within them: an index is read once, and the value that is checked
// is the one that is followed; a position or a count that is read back from the workspace is read
// once, and kept within its bounds before it is followed. Values that are only computed with
// need no such care; they make the result wrong, and nothing else.
#pragma once

#include <algorithm>

namespace gradproof::kernels {

/// One load, which no compiler repeats.
template <class T>
T read_once(const T& value) {
  return __atomic_load_n(&value, __ATOMIC_RELAXED);
}

/// The same, kept within [least, most].
template <class T>
T read_within(const T& value, T least, T most) {
  return std::min(std::max(read_once(value), least), most);
}

}  // namespace gradproof::kernels
