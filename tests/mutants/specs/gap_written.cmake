# Zeroing a strided row clears the gaps between its elements too.
set(OPERATOR max_pool3d_with_argmax_backward)
set(FILE opt/kernels/rows.h)
set(SOURCES opt/kernels/index_scatter.cpp)
set(OLD [==[for_each_scalar(row, [](Scalar& x, std::int64_t) { x = Scalar{}; });]==])
set(NEW [==[for (std::int64_t i = 0; i < (row.count - 1) * row.stride + row.lanes; ++i) row.data[i] = Scalar{};]==])
