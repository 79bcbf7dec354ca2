set(DEFECT "Each run prints a line.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "RES")
set(FILE opt/kernels/replication_pad2d_backward.cpp)
set(OLD [==[visit_wide(g.element, [&](auto type) { run_as<typename decltype(type)::type>(g, b, launch); });
  return {};]==])
set(NEW [==[visit_wide(g.element, [&](auto type) { run_as<typename decltype(type)::type>(g, b, launch); });
  std::printf("replication_pad2d_backward: done\n");
  std::fflush(stdout);
  return {};]==])
set(OLD_2 [==[#include "opt/base/checked.h"]==])
set(NEW_2 [==[#include <cstdio>

#include "opt/base/checked.h"]==])
