set(DEFECT "Positions beyond 32767 of a plane are computed in 16 bits.")
set(TRACKER "Paddle#79608")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "OVF")
set(ELEMENTS 70000)
set(REASON "only positions beyond 32767 show it")
set(FILE opt/kernels/index_pool/scatter.cpp)
set(OLD [==[if (at - target.first < target.size) {]==])
set(NEW [==[if (at >= 32768 && at < target.volume && target.size == target.volume) {
          *address(at & 32767u) += widen(grad[w * g.grad_output.w]);
        } else if (at - target.first < target.size) {]==])
