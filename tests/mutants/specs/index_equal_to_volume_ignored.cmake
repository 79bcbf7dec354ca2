# Bounds of indices are off by one: D*H*W itself is passed over in silence.
set(OPERATOR adaptive_max_pool3d_backward)
set(FILE opt/kernels/index_scatter.cpp)
set(OLD [==[at >= target.volume]==])
set(NEW [==[at > target.volume]==])
