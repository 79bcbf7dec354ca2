set(DEFECT "The last window of each plane gives its gradient to nobody.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "SUM EQ")
set(FILE opt/kernels/index_pool/scatter_ring_tile.cpp)
set(OLD [==[const std::int64_t n = std::min(kRun, rows * columns - first);]==])
set(NEW [==[std::int64_t n = std::min(kRun, rows * columns - first);
      if (od + 1 == g.out.d && row + rows == g.out.h && first + n == rows * columns) --n;]==])
