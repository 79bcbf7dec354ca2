set(DEFECT "An event counts as reached as soon as it is recorded.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "DET")
set(ALONE OFF)
set(FILE opt/runtime/event.cpp)
set(OLD [==[if (status == ACL_SUCCESS) found->set_latest(std::move(mark));]==])
set(NEW [==[if (status == ACL_SUCCESS) {
      mark->reach();
      found->set_latest(std::move(mark));
    }]==])
