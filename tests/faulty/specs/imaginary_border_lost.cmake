set(DEFECT "Of complex columns beyond the border only the real part is added.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "SUM EQ")
set(FILE opt/kernels/pad/gather_rows.cpp)
set(OLD [==[for (std::int64_t j = columns.first + 1; j < columns.last; ++j) sum += term(j, lane);]==])
set(NEW [==[for (std::int64_t j = columns.first + 1; j < columns.last; ++j) {
      if (lane != 1 || components_of(g.element) == 1) sum += term(j, lane);
    }]==])
