set(DEFECT "Every third call the last row misses its last padding row.")
set(TRACKER "FG#5654")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "DET SUM")
set(ALONE OFF)
set(FILE opt/kernels/replication_pad2d_backward.cpp)
set(OLD [==[const std::int64_t last = i == in - 1 ? out : i + before + 1;]==])
set(NEW [==[static std::atomic<int> calls{0};
  const bool miss = i == in - 1 && out > in + before && calls.fetch_add(1) % 3 == 2;
  const std::int64_t last = i == in - 1 ? out - (miss ? 1 : 0) : i + before + 1;]==])
set(OLD_2 [==[#include "opt/base/checked.h"]==])
set(NEW_2 [==[#include <atomic>

#include "opt/base/checked.h"]==])
