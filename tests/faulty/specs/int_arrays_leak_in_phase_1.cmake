set(DEFECT "Phase 1 keeps every int array that it has looked at for ever.")
set(TRACKER "nn !4843, nn !2717")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "RES")
set(FILE opt/runtime/tensor.cpp)
set(OLD [==[  return int_arrays.find(handle);]==])
set(NEW [==[  auto* const kept = new std::shared_ptr<const IntArray>(int_arrays.find(handle));
  return *kept;]==])
