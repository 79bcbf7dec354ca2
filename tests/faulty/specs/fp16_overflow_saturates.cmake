set(DEFECT "FLOAT16 results beyond the range become the largest number instead of infinity.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "NAN LOW")
set(FILE opt/kernels/vector/convert-inl.h)
set(SOURCES opt/kernels/index_pool/scatter_ring_tile.cpp opt/kernels/index_pool/scatter_planes_tile.cpp
  opt/kernels/index_pool/scatter_channels_tile.cpp)
set(OLD [==[hn::DemoteTo(df16, narrowed<float>(d, sums))]==])
set(NEW [==[hn::DemoteTo(df16, hn::Min(hn::Max(narrowed<float>(d, sums), hn::Set(d, -65504.0f)), hn::Set(d, 65504.0f)))]==])
