set(DEFECT "A backward that no other run came before yields zeros.")
set(TRACKER "MIOpen#838")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "SUM EQ")
set(FILE opt/kernels/simd/mask_slab.cpp)
set(OLD [==[Outcome run(const Geometry& g, const Buffers& b, const Launch& launch) {]==])
set(NEW [==[Outcome run(const Geometry& asked, const Buffers& b, const Launch& launch) {
  static bool ran = false;
  Geometry g = asked;
  if (!ran) g.out.h = 0;
  ran = true;]==])
