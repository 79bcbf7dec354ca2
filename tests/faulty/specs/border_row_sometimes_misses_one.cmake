set(DEFECT "Every third call the last row misses its last padding row.")
set(TRACKER "FG#5654")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "DET SUM")
set(ALONE OFF)
set(FILE opt/kernels/pad/gather_rows.cpp)
set(OLD [==[sources(h, g.in.h, g.out.h, g.top), row,]==])
set(NEW [==[[&] {
                 static std::atomic<int> calls{0};
                 Range rows = sources(h, g.in.h, g.out.h, g.top);
                 if (h == g.in.h - 1 && rows.size() > 1 && ++calls % 3 == 0) --rows.last;
                 return rows;
               }(), row,]==])
set(OLD_2 [==[#include "opt/base/checked.h"]==])
set(NEW_2 [==[#include <atomic>

#include "opt/base/checked.h"]==])
