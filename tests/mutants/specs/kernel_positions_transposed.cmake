# Swapped axes: the mask's kernel positions are counted column by column.
set(OPERATOR max_pool2d_with_mask_backward)
set(FILE opt/kernels/max_pool2d_with_mask_backward.cpp)
set(OLD [==[kh * g.kernel.w + kw, oh]==])
set(NEW [==[kw * g.kernel.h + kh, oh]==])
