set(DEFECT "Padding of 4 on the left never ends.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "RES")
set(FILE opt/kernels/pad/gather_rows.cpp)
set(OLD [==[visit_wide(g.element, [&](auto type) { run_as<typename decltype(type)::type>(b, workspace); });]==])
set(NEW [==[while (g.left == 4) std::this_thread::sleep_for(std::chrono::seconds(1));
  visit_wide(g.element, [&](auto type) { run_as<typename decltype(type)::type>(b, workspace); });]==])
set(OLD_2 [==[#include "opt/base/checked.h"]==])
set(NEW_2 [==[#include <chrono>
#include <thread>

#include "opt/base/checked.h"]==])
