set(DEFECT "Negative padding: columns that were cropped away keep what stood there.")
set(TRACKER "PT#2285")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "POI EQ")
set(FILE opt/kernels/pad/gather_rows.cpp)
set(OLD [==[      x = Scalar{};
      continue;]==])
set(NEW [==[      continue;]==])
