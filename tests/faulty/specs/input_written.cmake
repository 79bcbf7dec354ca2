set(DEFECT "The first gradient is made non-negative in the caller's memory.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "POI")
set(FILE opt/kernels/simd/index_slab.cpp)
set(OLD [==[return parallel_tiles_while(]==])
set(NEW [==[if (outputs > 0) const_cast<unsigned char*>(static_cast<const unsigned char*>(b.grad_output))[sizeof(Scalar) - 1] &= 0x7fu;
    return parallel_tiles_while(]==])
