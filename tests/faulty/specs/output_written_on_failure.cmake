set(DEFECT "A refused phase 1 sets *workspaceSize to 0.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/replication_pad2d_backward.cpp)
set(OLD [==[if (Status status = settle(call, check); !status.ok()) return report(call, status);]==])
set(NEW [==[if (Status status = settle(call, check); !status.ok()) {
      if (workspaceSize) *workspaceSize = 0;
      return report(call, status);
    }]==])
