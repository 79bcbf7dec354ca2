set(DEFECT "Only with two threads: the first row of gradInput is cleared.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "DET")
set(FILE opt/kernels/simd/index_slab.cpp)
set(OLD [==[return first_bad.outcome(b.indices);]==])
set(NEW [==[if (launch.threads == 2 && plan.planes > 0) *static_cast<std::uint16_t*>(b.grad_input) = 0;
  return first_bad.outcome(b.indices);]==])
