set(DEFECT "Storing a strided row clears the gaps between its elements too.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "POI")
set(FILE opt/kernels/index_pool/scatter_ring_tile.cpp)
set(OLD [==[store_row(Row<Scalar>{to, count, s.w, 1}, cells);]==])
set(NEW [==[store_row(Row<Scalar>{to, count, s.w, 1}, cells);
      for (std::int64_t i = 0; i < (count - 1) * s.w; ++i) {
        if (i % s.w != 0) to[i] = Scalar{};
      }]==])
