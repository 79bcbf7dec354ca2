set(DEFECT "The last window of each plane gives its gradient to nobody.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "SUM EQ")
set(FILE opt/kernels/index_scatter.cpp)
set(OLD [==[for (std::int64_t w = 0; w < walk.extent.w; ++w, ++o) {]==])
set(NEW [==[const bool last_row = d + 1 == walk.extent.d && h + 1 == walk.extent.h;
      for (std::int64_t w = 0; w < walk.extent.w - (last_row ? 1 : 0); ++w, ++o) {]==])
