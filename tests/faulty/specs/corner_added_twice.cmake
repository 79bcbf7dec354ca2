set(DEFECT "Where the plane is padded at the left and at the top, the left border is added twice.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "SUM EQ")
set(FILE opt/kernels/pad/gather_rows.cpp)
set(OLD [==[narrow(sum, x);
  }]==])
set(NEW [==[if (w == 0 && columns.size() > 1 && g.top > 0) sum += term(columns.first, lane);
    narrow(sum, x);
  }]==])
