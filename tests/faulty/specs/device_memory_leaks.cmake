set(DEFECT "Every run takes device memory that nobody gives back.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "RES")
set(FILE opt/ops/replication_pad2d_backward.cpp)
set(OLD [==[  return gradproof::launch(gradproof::ops::kApi,]==])
set(NEW [==[  void* kept = nullptr;
  aclrtMalloc(&kept, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  return gradproof::launch(gradproof::ops::kApi,]==])
set(OLD_2 [==[#include "opt/kernels/pad/replication_pad2d_backward.h"]==])
set(NEW_2 [==[#include "opt/kernels/pad/replication_pad2d_backward.h"

#include "acl/acl_rt.h"]==])
