set(DEFECT "The batch of indices may differ from that of gradOutput.")
set(TRACKER "PT#142459, PT#189673")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "ERR POI")
set(FILE opt/ops/max_pool3d_with_argmax_backward.cpp)
set(OLD [==[GRADPROOF_TRY(check_same_shape(call, grad_output, indices));]==])
set(NEW [==[for (int axis = 1; axis < indices.rank(); ++axis) {
    GRADPROOF_TRY(check_same_extent(call, grad_output, indices, axis));
  }]==])
