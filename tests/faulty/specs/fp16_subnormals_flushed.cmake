set(DEFECT "FLOAT16 results below the normal range become zero.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "LOW NAN")
set(FILE opt/kernels/simd/convert-inl.h)
set(SOURCES opt/kernels/simd/index_slab_tile.cpp opt/kernels/simd/index_planes_tile.cpp
  opt/kernels/simd/index_channels_tile.cpp)
set(OLD [==[hn::DemoteTo(df16, narrowed<float>(d, sums))]==])
set(NEW [==[hn::DemoteTo(df16, hn::IfThenZeroElse(hn::Lt(hn::Abs(sums), hn::Set(d, 0x1p-14f)), narrowed<float>(d, sums)))]==])
