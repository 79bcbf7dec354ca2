set(DEFECT "A repeatable executor is consumed like any other.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "STA")
set(FILE opt/runtime/executor.cpp)
set(OLD [==[  found->repeatable = true;
]==])
set(NEW [==[]==])
