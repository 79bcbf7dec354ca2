set(DEFECT "Element 37 of planes that are large enough is lost.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "SUM EQ")
set(FILE opt/kernels/max_pool2d_with_mask_backward.cpp)
set(OLD [==[const Strides4& s = g.grad_input;
    for (std::int64_t channel]==])
set(NEW [==[if (channel_size > 64) sums[37] = 0;
    const Strides4& s = g.grad_input;
    for (std::int64_t channel]==])
