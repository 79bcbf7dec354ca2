set(DEFECT "FLOAT16 and BF16 gradients are added in their own type instead of FLOAT.")
set(TRACKER "XPU#3765")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "LOW")
set(FILE opt/kernels/index_scatter.cpp)
set(OLD [==[sum = one_nan(sum + widen(grad[w * g.grad_output.w]));]==])
set(NEW [==[sum += widen(grad[w * g.grad_output.w]);
          Scalar rounded;
          narrow(sum, rounded);
          sum = widen(rounded);]==])
