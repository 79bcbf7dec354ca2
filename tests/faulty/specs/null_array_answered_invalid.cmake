set(DEFECT "A null int array is answered 161002 instead of 161001.")
set(TRACKER "nn !6781, nn !3719")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/check_descriptors.cpp)
set(OLD [==[for (const ArrayArgument& a : call.arrays) {
    if (!a.handle)]==])
set(NEW [==[for (const ArrayArgument& a : call.arrays) {
    if (false)]==])
