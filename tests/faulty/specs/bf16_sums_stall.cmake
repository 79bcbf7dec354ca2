set(DEFECT "Gradients of overlapping windows are added in BF16: 256 + 1 = 256.")
set(TRACKER "oneDNN#2386")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "LOW SUM")
set(FILE opt/kernels/simd/mask_slab_tile.cpp)
set(OLD [==[sum = hn::Add(sum, hn::IfThenElseZero(chosen, term));]==])
set(NEW [==[sum = hn::Add(sum, hn::IfThenElseZero(chosen, term));
    BFloat16 rounded[16];
    narrow_to(rounded, d, sum);
    sum = widen_from(d, rounded);]==])
