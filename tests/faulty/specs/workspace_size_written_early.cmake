set(DEFECT "Phase 1 sets *workspaceSize to 0 before it judges the memory, and may refuse then.")
set(OPERATOR upsample_bilinear2d_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/check_memory.cpp)
set(OLD [==[Status check_memory(const Call& call) {]==])
set(NEW [==[Status check_memory(const Call& call) {
  *call.workspace_size = 0;]==])
