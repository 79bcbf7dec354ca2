set(DEFECT "A weight of 0 is multiplied in: 0 times infinity is NaN in a neighbour.")
set(TRACKER "cv !1110, cv !615")
set(OPERATOR upsample_bilinear2d_backward)
set(EXPECTED "NAN")
set(FILE opt/kernels/bilinear_axis.cpp)
set(OLD [==[      if (w == 0) continue;
]==])
set(NEW [==[]==])
