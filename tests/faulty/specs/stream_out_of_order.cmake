set(DEFECT "A run or fill overtakes the one before it on its stream.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "DET")
set(ALONE OFF)
set(FILE opt/runtime/stream.cpp)
set(OLD [==[= std::move(task);
  ++count_;]==])
set(NEW [==[= std::move(task);
  Task& last = ring_[(head_ + count_) & (ring_.size() - 1)];
  if (count_ > 0) {
    Task& before = ring_[(head_ + count_ - 1) & (ring_.size() - 1)];
    if (last.index() % 2 == 1 && before.index() % 2 == 1 && last.index() < 4 && before.index() < 4)
      std::swap(last, before);
  }
  ++count_;]==])
