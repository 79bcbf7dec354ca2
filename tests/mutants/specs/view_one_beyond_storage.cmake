# A view may reach one element beyond its storage.
set(OPERATOR adaptive_max_pool3d_backward)
set(FILE opt/ops/check_memory.cpp)
set(OLD [==[if (last >= *count) {]==])
set(NEW [==[if (last > *count) {]==])
