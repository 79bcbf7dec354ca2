set(DEFECT "Shapes are judged before memory, but after the index range.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/adaptive_max_pool3d_backward.cpp)
set(OLD [==[GRADPROOF_TRY(check_adaptive_extents(call, self, grad_output));
]==])
set(NEW [==[GRADPROOF_TRY(check_memory(call));
  GRADPROOF_TRY(check_adaptive_extents(call, self, grad_output));
]==])
