set(DEFECT "Synchronising for a time does not report failures.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "STA")
set(FILE opt/runtime/stream.cpp)
set(OLD [==[return take_error();
}

void Stream::finish() {]==])
set(NEW [==[return Status();
}

void Stream::finish() {]==])
