set(DEFECT "An empty batch ends the process.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "RES")
set(FILE opt/kernels/mask_pool/scatter.cpp)
set(OLD [==[visit_mask_scalar(]==])
set(NEW [==[if (g.n == 0) std::_Exit(0);
  visit_mask_scalar(]==])
set(OLD_2 [==[#include <cstring>]==])
set(NEW_2 [==[#include <cstdlib>
#include <cstring>]==])
