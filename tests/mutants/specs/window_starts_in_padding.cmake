# Ceil mode keeps a window that starts right at the end of the input.
set(OPERATOR max_pool3d_with_argmax_backward)
set(FILE opt/ops/pooling.cpp)
set(OLD [==[>= Wide{in} + padding) --out;]==])
set(NEW [==[> Wide{in} + padding) --out;]==])
