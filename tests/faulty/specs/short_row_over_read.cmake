set(DEFECT "In short rows the element behind the end is read and weighted with 0.")
set(TRACKER "math !2258")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "POI")
set(FILE opt/kernels/pad/gather_rows.cpp)
set(OLD [==[narrow(sum, x);
  }]==])
set(NEW [==[if (g.out.w < 4) sum += 0 * term(g.out.w, lane);
    narrow(sum, x);
  }]==])
