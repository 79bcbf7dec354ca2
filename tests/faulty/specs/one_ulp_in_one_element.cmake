set(DEFECT "One element of each plane is one unit in the last place too large.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "EQ")
set(FILE opt/kernels/simd/index_slab.cpp)
set(OLD [==[      for (std::int64_t i = 0; i < bands; ++i) {
        if (!write(i, {0, g.in.d})) return false;
      }
      return true;]==])
set(NEW [==[      for (std::int64_t i = 0; i < bands; ++i) {
        if (!write(i, {0, g.in.d})) return false;
      }
      if constexpr (std::is_same_v<Scalar, float>) {
        if (*plane.grad_input != 0) {
          *plane.grad_input = std::nextafter(*plane.grad_input, std::numeric_limits<float>::infinity());
        }
      }
      return true;]==])
set(OLD_2 [==[#include <algorithm>]==])
set(NEW_2 [==[#include <algorithm>
#include <cmath>
#include <limits>]==])
