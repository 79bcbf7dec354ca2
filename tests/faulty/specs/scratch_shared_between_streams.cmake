set(DEFECT "Small workspaces are replaced by one buffer for all streams.")
set(OPERATOR upsample_bilinear2d_backward)
set(EXPECTED "DET")
set(ALONE OFF)
set(FILE opt/runtime/executor.cpp)
set(OLD [==[binding.workspace = static_cast<std::byte*>(workspace);]==])
set(NEW [==[alignas(64) static std::byte shared[1 << 20];
  binding.workspace = call.workspace_bytes <= sizeof shared ? shared : static_cast<std::byte*>(workspace);]==])
