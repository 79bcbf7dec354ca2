set(DEFECT "An index outside the plane ends the process.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "RES")
set(FILE opt/kernels/index_pool/bad_index.h)
set(SOURCES opt/kernels/index_pool/scatter_ring.cpp opt/kernels/index_pool/scatter.cpp)
set(OLD [==[if (o < 0) return;]==])
set(NEW [==[if (o < 0) return;
    std::abort();]==])
set(OLD_2 [==[#include <atomic>]==])
set(NEW_2 [==[#include <atomic>
#include <cstdlib>]==])
