set(DEFECT "The first gradient is made non-negative in the caller's memory.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "POI")
set(FILE opt/kernels/index_pool/scatter_ring.cpp)
set(OLD [==[  return Outcome::done_if(
      parallel_tiles_while(]==])
set(NEW [==[  if (outputs > 0) {
    auto* first = const_cast<unsigned char*>(static_cast<const unsigned char*>(b.grad_output));
    first[g.element == Element::f32 ? 3 : 1] &= 0x7fu;
  }
  return Outcome::done_if(
      parallel_tiles_while(]==])
