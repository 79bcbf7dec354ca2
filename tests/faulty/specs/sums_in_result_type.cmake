set(DEFECT "FLOAT16 and BF16 gradients are added in their own type instead of FLOAT.")
set(TRACKER "XPU#3765")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "LOW")
set(FILE opt/kernels/vector/add_terms-inl.h)
set(SOURCES opt/kernels/index_pool/scatter_ring_tile.cpp opt/kernels/index_pool/scatter_planes_tile.cpp)
set(OLD [==[    scatter_add(sums, at, widened, n);]==])
set(NEW [==[    for (std::int64_t i = 0; i < n; ++i) {
      Scalar rounded;
      narrow(sums[at[i]] + widened[i], rounded);
      sums[at[i]] = widen(rounded);
    }]==])
