set(DEFECT "Synchronising does not wait for the latest run.")
set(OPERATOR upsample_bilinear2d_backward)
set(EXPECTED "DET POI")
set(ALONE OFF)
set(ELEMENTS huge)
set(REASON "a call of less than 160 KiB is done before anybody synchronises")
set(FILE opt/runtime/stream.cpp)
set(OLD [==[const std::uint64_t target = counts_.enqueued;
  while (counts_.completed < target) {
    if (!running_) {]==])
set(NEW [==[const std::uint64_t target = counts_.enqueued;
  while (counts_.completed + 1 < target) {
    if (!running_) {]==])
