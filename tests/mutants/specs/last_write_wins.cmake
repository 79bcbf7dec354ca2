# Overlapping windows: an element keeps the last gradient instead of the sum.
set(OPERATOR max_pool2d_with_mask_backward)
set(FILE opt/kernels/max_pool2d_with_mask_backward.cpp)
set(OLD [==[sum[c * channel_size] += widen]==])
set(NEW [==[sum[c * channel_size] = widen]==])
