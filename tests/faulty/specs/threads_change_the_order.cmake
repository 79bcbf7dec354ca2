set(DEFECT "With several threads the rows of a plane are added in descending order.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "DET")
set(FILE opt/kernels/replication_pad2d_backward.cpp)
set(OLD [==[for (std::int64_t i = rows.first + 1; i < rows.last; ++i) add_row(sums, row(i));]==])
set(NEW [==[if (several_threads) {
      for (std::int64_t i = rows.last - 1; i > rows.first; --i) add_row(sums, row(i));
    } else {
      for (std::int64_t i = rows.first + 1; i < rows.last; ++i) add_row(sums, row(i));
    }]==])
set(OLD_2 [==[Plan plan_of(const Geometry& g, int threads) {
]==])
set(NEW_2 [==[bool several_threads = false;

Plan plan_of(const Geometry& g, int threads) {
  several_threads = threads > 1;
]==])
