set(DEFECT "Synchronising for a time does not report failures.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "STA")
set(FILE opt/runtime/stream.cpp)
set(OLD [==[if (!done) return std::nullopt;
  return take_error();]==])
set(NEW [==[if (!done) return std::nullopt;
  return Status();]==])
