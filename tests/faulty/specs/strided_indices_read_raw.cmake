set(DEFECT "Indices are read as if they were contiguous.")
set(TRACKER "PT#197888")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "LAY")
set(FILE opt/ops/adaptive_max_pool3d_backward.cpp)
set(OLD [==[geometry.indices = strides5(indices);]==])
set(NEW [==[const std::int64_t w = out[4], h = w * out[3], d = h * out[2];
  geometry.indices = {d * out[1], d, h, w, 1};]==])
