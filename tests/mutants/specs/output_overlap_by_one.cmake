# Two elements of the output may share one address.
set(OPERATOR replication_pad2d_backward)
set(FILE opt/ops/check_memory.cpp)
set(OLD [==[if (stride <= inner) {]==])
set(NEW [==[if (stride < inner) {]==])
