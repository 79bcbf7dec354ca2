set(DEFECT "In the conformance cann, the scale of one axis counts although the other does not fit.")
set(OPERATOR upsample_bilinear2d_backward)
set(EXPECTED "EQ")
set(CONFORMANCE cann)
set(FILE opt/ops/upsample.cpp)
set(OLD [==[    scale_h = scale_w = 0;]==])
set(NEW [==[    if (!uses_scales(call.config.product) || !fits(in.h, out.h, scale_h)) scale_h = 0;
    if (!uses_scales(call.config.product) || !fits(in.w, out.w, scale_w)) scale_w = 0;]==])
