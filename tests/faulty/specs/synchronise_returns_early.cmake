set(DEFECT "Synchronising does not wait for the run that is going on.")
set(OPERATOR upsample_bilinear2d_backward)
set(EXPECTED "DET POI")
set(ALONE OFF)
set(FILE opt/runtime/stream.cpp)
set(OLD [==[++waiters_;
      done_.wait(lock);
      --waiters_;]==])
set(NEW [==[break;]==])
