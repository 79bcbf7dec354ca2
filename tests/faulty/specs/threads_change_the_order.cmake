set(DEFECT "With several threads the rows of a plane are added in descending order.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "DET")
set(FILE opt/kernels/replication_pad2d_backward.cpp)
set(OLD [==[for (std::int64_t i = rows.first + 1; i < rows.last; ++i) add_row(sums, row(i));]==])
set(NEW [==[if (RowsPlan::several_threads) {
      for (std::int64_t i = rows.last - 1; i > rows.first; --i) add_row(sums, row(i));
    } else {
      for (std::int64_t i = rows.first + 1; i < rows.last; ++i) add_row(sums, row(i));
    }]==])
set(OLD_2 [==[  RowTiling tiling;
  WorkspaceLayout::Slots sums;]==])
set(NEW_2 [==[  static inline bool several_threads = false;
  bool noted = several_threads = machine.threads > 1;
  RowTiling tiling;
  WorkspaceLayout::Slots sums;]==])
