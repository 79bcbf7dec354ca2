set(DEFECT "Vectors without instructions for FLOAT16 round its ties up instead of to even.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "DET")
set(FILE opt/kernels/vector/convert-inl.h)
set(SOURCES opt/kernels/index_pool/scatter_ring_tile.cpp opt/kernels/index_pool/scatter_planes_tile.cpp
  opt/kernels/index_pool/scatter_channels_tile.cpp)
set(OLD [==[hn::Set(di, 0xfff - 0x38000000)), odd)]==])
set(NEW [==[hn::Set(di, 0x1000 - 0x38000000)), hn::And(odd, hn::Zero(di)))]==])
