set(DEFECT "The message of a wrong rank does not name the rule.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "ERR")
set(FILE opt/ops/check_descriptors.cpp)
set(OLD [==[return refuse(call, "rank", a.name, " has rank ", a.rank(), ", must have ", low, " or ",
                    high);]==])
set(NEW [==[return refuse(call, "shape", a.name, " has ", a.rank(), " dimensions");]==])
