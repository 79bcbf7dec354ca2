set(DEFECT "Destroying a stream drops the failure that nobody was told of.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "STA")
set(FILE opt/runtime/stream_table.cpp)
set(OLD [==[return report(removed->close());]==])
set(NEW [==[(void)removed->close();
  return ACL_SUCCESS;]==])
