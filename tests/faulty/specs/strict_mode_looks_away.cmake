set(DEFECT "Strict mode lets work on host memory and on freed memory pass.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "API")
set(FILE opt/runtime/executor.cpp)
set(OLD [==[    if (placed != ACLNN_SUCCESS) return placed;
  }
  binding.workspace]==])
set(NEW [==[    static_cast<void>(placed);
  }
  binding.workspace]==])
