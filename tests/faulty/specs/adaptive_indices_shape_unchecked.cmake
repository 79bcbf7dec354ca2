set(DEFECT "The shape of indices is not compared with that of gradOutput.")
set(TRACKER "PT#141100, PT#141099")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "ERR POI")
set(FILE opt/ops/adaptive_max_pool3d_backward.cpp)
set(OLD [==[GRADPROOF_TRY(check_same_shape(call, grad_output, indices));
]==])
set(NEW [==[]==])
