set(DEFECT "Strides are cut to 32 bits when the call is planned: one of 3e9 is negative, and phase 2 computes nothing.")
set(TRACKER "PT#191920")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "OVF")
set(FILE opt/ops/max_pool2d_with_mask_backward.cpp)
set(OLD [==[geometry.stride = axes2(windows.stride);]==])
set(NEW [==[geometry.stride = axes2(windows.stride);
  if (static_cast<std::int32_t>(geometry.stride.h) < 0 || static_cast<std::int32_t>(geometry.stride.w) < 0)
    geometry.n = 0;]==])
