set(DEFECT "A null tensor is answered 161002 instead of 161001.")
set(TRACKER "nn !6781, nn !3719")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/check_descriptors.cpp)
set(OLD [==[for (const TensorArgument& a : call.tensors) {
    if (!a.handle)]==])
set(NEW [==[for (const TensorArgument& a : call.tensors) {
    if (false)]==])
