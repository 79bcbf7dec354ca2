set(DEFECT "Small workspaces are replaced by one buffer for all streams.")
set(OPERATOR upsample_bilinear2d_backward)
set(EXPECTED "DET")
set(ALONE OFF)
set(FILE opt/runtime/stream.cpp)
set(OLD [==[    return task.call->run(task.binding);]==])
set(NEW [==[    alignas(64) static std::byte shared[1 << 20];
    Binding binding = task.binding;
    if (task.call->workspace_bytes <= sizeof shared) binding.workspace = shared;
    return task.call->run(binding);]==])
