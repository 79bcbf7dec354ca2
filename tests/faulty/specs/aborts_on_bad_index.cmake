set(DEFECT "An index outside the plane ends the process.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "RES")
set(FILE opt/kernels/simd/index_slab.cpp)
set(OLD [==[if (bad >= 0) lower(first_bad]==])
set(NEW [==[if (bad >= 0) std::abort();
    if (bad >= 0) lower(first_bad]==])
set(OLD_2 [==[#include <cstring>]==])
set(NEW_2 [==[#include <cstdlib>
#include <cstring>]==])
