set(DEFECT "A refused phase 1 sets the executor to null.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/max_pool2d_with_mask_backward.cpp)
set(OLD [==[if (Status status = settle(call, check); !status.ok()) return report(call, status);]==])
set(NEW [==[if (Status status = settle(call, check); !status.ok()) {
      if (executor) *executor = nullptr;
      return report(call, status);
    }]==])
