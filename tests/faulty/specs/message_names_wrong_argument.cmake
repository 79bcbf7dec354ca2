set(DEFECT "A message about two shapes names the other argument.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/check_descriptors.cpp)
set(OLD [==[return refuse(call, "shape", b.name, "[", axis, "] is ", b->shape[axis], " but ", a.name, "[",
                axis, "] is ", a->shape[axis]);]==])
set(NEW [==[return refuse(call, "shape", a.name, "[", axis, "] is ", a->shape[axis], ", must fit");]==])
