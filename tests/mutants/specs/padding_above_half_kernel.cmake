# Padding may exceed half of an odd kernel by one.
set(OPERATOR max_pool3d_with_argmax_backward)
set(FILE opt/ops/pooling.cpp)
set(OLD [==[padding[at] > k / 2)]==])
set(NEW [==[padding[at] > (k + 1) / 2)]==])
