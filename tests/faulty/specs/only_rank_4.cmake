set(DEFECT "Only at rank 4: the strides of the channels are used for the depth.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "EQ LAY")
set(FILE opt/ops/canonical.cpp)
set(OLD [==[const auto s = stepped<5>(a);
  return]==])
set(NEW [==[auto s = stepped<5>(a);
  if (a.rank() == 4 && s[2] != 0) s[2] = s[1];
  return]==])
