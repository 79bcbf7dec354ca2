set(DEFECT "Every fifth run leaves out the zero fill.")
set(TRACKER "nn !8382")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "DET POI")
set(ALONE OFF)
set(FILE opt/kernels/index_scatter.cpp)
set(OLD [==[for (std::int64_t r = first; r < first + count; ++r) zero_row(row(r));]==])
set(NEW [==[static std::atomic<int> runs{0};
    if (++runs % 5 != 0) {
      for (std::int64_t r = first; r < first + count; ++r) zero_row(row(r));
    }]==])
