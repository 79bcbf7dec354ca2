set(DEFECT "The view offset is cut to 32 bits where the reach of a view is computed.")
set(TRACKER "XPU#3940, XPU#3558, XPU#3632")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "OVF")
set(FILE opt/ops/check_memory.cpp)
set(OLD [==[const Wide low = span.low + a->offset, last = span.high + a->offset;]==])
set(NEW [==[const auto offset = static_cast<std::int32_t>(a->offset);
  const Wide low = span.low + offset, last = span.high + offset;]==])
