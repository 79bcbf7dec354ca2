set(DEFECT "BF16 gradients of overlapping windows are added in BF16: 256 + 1 = 256.")
set(TRACKER "oneDNN#2386")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "LOW SUM")
set(FILE opt/kernels/max_pool2d_with_mask_backward.cpp)
set(OLD [==[sum[c * channel_size] += widen(grad[c * s.c]);]==])
set(NEW [==[sum[c * channel_size] += widen(grad[c * s.c]);
            if constexpr (std::is_same_v<Scalar, BFloat16>) {
              sum[c * channel_size] = to_float(to_bfloat16(sum[c * channel_size]));
            }]==])
