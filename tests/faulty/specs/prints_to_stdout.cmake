set(DEFECT "Phase 1 prints a line to stdout.")
set(OPERATOR upsample_bilinear2d)
set(EXPECTED "RES")
set(FILE opt/ops/upsample.cpp)
set(OLD [==[Status check_upsample_descriptors(const Call& call) {]==])
set(NEW [==[Status check_upsample_descriptors(const Call& call) {
  std::printf("checking %s\n", call.api);]==])
set(OLD_2 [==[#include <cmath>]==])
set(NEW_2 [==[#include <cmath>
#include <cstdio>]==])
