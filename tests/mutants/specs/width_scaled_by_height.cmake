# Swapped axes: the columns of the image are scaled by scalesH.
set(OPERATOR upsample_bilinear2d_backward)
set(FILE opt/ops/upsample_bilinear2d_backward.cpp)
set(OLD [==[align_corners, scale_w)};]==])
set(NEW [==[align_corners, scale_h)};]==])
