set(DEFECT "An empty batch ends the process.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "RES")
set(FILE opt/kernels/max_pool2d_with_mask_backward.cpp)
set(OLD [==[if (g.n == 0) return {};  // and the other extents may be such that their product does not fit
  if]==])
set(NEW [==[if (g.n == 0) std::_Exit(0);
  if]==])
set(OLD_2 [==[#include <cstring>]==])
set(NEW_2 [==[#include <cstdlib>
#include <cstring>]==])
