set(DEFECT "Every fifth run leaves out the zero fill.")
set(TRACKER "nn !8382")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "DET POI")
set(ALONE OFF)
set(FILE opt/kernels/index_pool/scatter_ring_tile.cpp)
set(OLD [==[std::memset(cells, 0, static_cast<std::size_t>(ring.extent + kDumpSlots) * sizeof(Cell));]==])
set(NEW [==[static std::atomic<int> runs{0};
  if (++runs % 5 != 0) std::memset(cells, 0, static_cast<std::size_t>(ring.extent + kDumpSlots) * sizeof(Cell));]==])
set(OLD_2 [==[#include <cstring>]==])
set(NEW_2 [==[#include <atomic>
#include <cstring>]==])
