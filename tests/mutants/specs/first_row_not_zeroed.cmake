# The first row of gradInput is added to what stood there before the call.
set(OPERATOR max_pool3d_with_argmax_backward)
set(FILE opt/kernels/index_scatter.cpp)
set(OLD [==[for (std::int64_t r = first; r < first + count; ++r) zero_row(row(r));]==])
set(NEW [==[for (std::int64_t r = first + 1; r < first + count; ++r) zero_row(row(r));]==])
