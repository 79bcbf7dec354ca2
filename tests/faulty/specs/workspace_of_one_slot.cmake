set(DEFECT "The workspace is sized for one worker whatever the threads.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "POI")
set(ELEMENTS huge)
set(REASON "work is divided among threads from 32768 steps on")
set(ALONE OFF)
set(FILE opt/kernels/index_pool/scatter_ring.cpp)
set(OLD [==[  terms = layout.take_slots(workers, kRun, sizeof(float));]==])
set(NEW [==[  terms = layout.take_slots(workers, kRun, sizeof(float));
  layout = {};
  layout.take_slots(1, static_cast<std::uint64_t>(slots * band + kDumpSlots), sizeof(float));
  layout.take_slots(2, kRun, sizeof(float));]==])
