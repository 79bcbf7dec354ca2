set(DEFECT "Of a wrong type and a wrong format, the format is answered.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/replication_pad.cpp)
set(OLD [==[  GRADPROOF_TRY(check_types(call, kProductTypes));
  GRADPROOF_TRY(check_formats(call, accepts));]==])
set(NEW [==[  GRADPROOF_TRY(check_formats(call, accepts));
  GRADPROOF_TRY(check_types(call, kProductTypes));]==])
