set(DEFECT "The gradient reads self, which may be null or anything.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "POI")
set(FILE opt/ops/max_pool3d_with_argmax_backward.cpp)
set(OLD [==[return {at[0], reinterpret_cast<const std::int32_t*>(at[2]), at[3]};]==])
set(NEW [==[static volatile std::uint8_t seen;
  seen = static_cast<std::uint8_t>(*at[1]);
  return {at[0], reinterpret_cast<const std::int32_t*>(at[2]), at[3]};]==])
