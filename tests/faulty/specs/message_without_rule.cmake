set(DEFECT "The message of a wrong rank does not name the rule.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/check_descriptors.cpp)
set(OLD [==[GRADPROOF_TRY(refuse(call, "rank", a.name, " has rank ", a.rank(), ", must have ", low,
                             " or ", high));]==])
set(NEW [==[GRADPROOF_TRY(refused(call, "rank", {}, words(call.api, ": shape: ", a.name, " has ", a.rank(), " dimensions")));]==])
