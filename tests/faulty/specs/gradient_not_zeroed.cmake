set(DEFECT "gradInput is not zeroed before the sums.")
set(TRACKER "executorch#21687")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "POI")
set(FILE opt/kernels/index_scatter.cpp)
set(OLD [==[for (std::int64_t r = first; r < first + count; ++r) zero_row(row(r));
]==])
set(NEW [==[]==])
