set(DEFECT "Source coordinates of upsampling are computed in BF16.")
set(TRACKER "PT#89210, PT#112299")
set(OPERATOR upsample_bilinear2d_backward)
set(EXPECTED "LOW")
set(FILE opt/kernels/bilinear_axis.cpp)
set(OLD [==[const double x = align_corners ? ratio * at : ratio * (at + 0.5) - 0.5;]==])
set(NEW [==[const double exact = align_corners ? ratio * at : ratio * (at + 0.5) - 0.5;
  const double x = to_float(to_bfloat16(static_cast<float>(exact)));]==])
set(OLD_2 [==[#include "opt/base/float_mode.h"]==])
set(NEW_2 [==[#include "opt/base/element.h"
#include "opt/base/float_mode.h"]==])
