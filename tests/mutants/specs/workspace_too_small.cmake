# Phase 1 asks for one cache line less than phase 2 uses.
set(OPERATOR max_pool2d_with_mask_backward)
set(FILE opt/ops/plan.h)
set(SOURCES opt/ops/max_pool2d_with_mask_backward.cpp)
set(OLD [==[planned.workspace_bytes = plan->workspace();]==])
set(NEW [==[planned.workspace_bytes = plan->workspace() - (plan->workspace() > 64 ? 64 : 0);]==])
