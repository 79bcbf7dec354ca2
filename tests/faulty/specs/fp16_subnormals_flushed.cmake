set(DEFECT "FLOAT16 results below the normal range become zero.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "LOW NAN")
set(FILE opt/kernels/vector/convert-inl.h)
set(SOURCES opt/kernels/index_pool/scatter_ring_tile.cpp opt/kernels/index_pool/scatter_planes_tile.cpp
  opt/kernels/index_pool/scatter_channels_tile.cpp)
set(OLD [==[hn::DemoteTo(df16, narrowed<float>(d, sums))]==])
set(NEW [==[hn::DemoteTo(df16, hn::IfThenZeroElse(hn::Lt(hn::Abs(sums), hn::Set(d, 0x1p-14f)), narrowed<float>(d, sums)))]==])
