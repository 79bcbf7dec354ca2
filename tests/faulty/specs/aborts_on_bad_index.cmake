set(DEFECT "An index outside the plane ends the process.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "RES")
set(FILE opt/kernels/index_scatter.cpp)
set(OLD [==[} else if (at >= target.volume) {
          return o;]==])
set(NEW [==[} else if (at >= target.volume) {
          std::abort();]==])
set(OLD_2 [==[#include <atomic>]==])
set(NEW_2 [==[#include <atomic>
#include <cstdlib>]==])
