set(DEFECT "With several threads the rows of a plane are added in descending order.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "DET")
set(FILE opt/kernels/pad/gather_rows.cpp)
set(OLD [==[for (std::int64_t i = rows.first + 1; i < rows.last; ++i) add_row(sums, row(i));]==])
set(NEW [==[bool& several_threads();
    if (several_threads()) {
      for (std::int64_t i = rows.last - 1; i > rows.first; --i) add_row(sums, row(i));
    } else {
      for (std::int64_t i = rows.first + 1; i < rows.last; ++i) add_row(sums, row(i));
    }]==])
set(OLD_2 [==[Plan::Plan(const Geometry& geometry, const Machine& on)
    : ReplicationPadBackwardPlan(geometry, on),]==])
set(NEW_2 [==[namespace {
bool& several_threads() {
  static bool several = false;
  return several;
}
}  // namespace

Plan::Plan(const Geometry& geometry, const Machine& on)
    : ReplicationPadBackwardPlan((several_threads() = on.threads > 1, geometry), on),]==])
