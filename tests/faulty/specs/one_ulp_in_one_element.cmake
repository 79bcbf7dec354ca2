set(DEFECT "One element of each plane is one unit in the last place too large.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "EQ")
set(FILE opt/kernels/simd/index_slab.cpp)
set(OLD [==[return first_bad.outcome(b.indices);]==])
set(NEW [==[if constexpr (std::is_same_v<Scalar, float>) {
    for (std::int64_t p = 0; p < plan.planes; ++p) {
      float& x = static_cast<float*>(b.grad_input)[p / g.c * g.grad_input.n + p % g.c * g.grad_input.c];
      if (x != 0) x = std::nextafter(x, std::numeric_limits<float>::infinity());
    }
  }
  return first_bad.outcome(b.indices);]==])
set(OLD_2 [==[#include <atomic>]==])
set(NEW_2 [==[#include <atomic>
#include <cmath>
#include <limits>]==])
