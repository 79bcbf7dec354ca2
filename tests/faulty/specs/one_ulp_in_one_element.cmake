set(DEFECT "One element of each plane is one unit in the last place too large.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "EQ")
set(FILE opt/kernels/index_pool/scatter_ring.cpp)
set(OLD [==[        for (std::int64_t i = 0; i < bands; ++i) {
          if (!body(*this, b, plane, scratch, i, {0, g.in.d})) return false;
        }
        return true;]==])
set(NEW [==[        for (std::int64_t i = 0; i < bands; ++i) {
          if (!body(*this, b, plane, scratch, i, {0, g.in.d})) return false;
        }
        if (g.element == Element::f32) {
          float& x = *IndexedPlane<float>(g, b, plane).grad_input;
          if (x != 0) x = std::nextafter(x, std::numeric_limits<float>::infinity());
        }
        return true;]==])
set(OLD_2 [==[#include <algorithm>]==])
set(NEW_2 [==[#include <algorithm>
#include <cmath>
#include <limits>]==])
