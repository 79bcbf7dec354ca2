set(DEFECT "A null workspaceSize is answered only after the types were judged.")
set(OPERATOR upsample_bilinear2d_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/check_descriptors.cpp)
set(OLD [==[bool complete = call.workspace_size != nullptr && call]==])
set(NEW [==[bool complete = call]==])
set(OLD_2 [==[Status check_formats(const Call& call, bool (*accepts)(const Call&, aclFormat, int)) {]==])
set(NEW_2 [==[Status check_formats(const Call& call, bool (*accepts)(const Call&, aclFormat, int)) {
  if (!call.workspace_size) return refuse(call, "null-argument", "workspaceSize is a null pointer");]==])
