# BF16 is accepted on a product that does not have it.
set(OPERATOR max_pool2d_with_mask_backward)
set(FILE opt/ops/pool2d.cpp)
set(OLD [==[kProductTypes{{kWithoutBf16,]==])
set(NEW [==[kProductTypes{{kAll,]==])
