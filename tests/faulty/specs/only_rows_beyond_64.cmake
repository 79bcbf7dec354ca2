set(DEFECT "Only in rows of more than 64 elements: the last one is lost.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "SUM EQ")
set(FILE opt/kernels/replication_pad2d_backward.cpp)
set(OLD [==[copy_row(inner, only.part(first + g.left, inner.count));]==])
set(NEW [==[copy_row(inner, only.part(first + g.left, inner.count));
    if (inner.count > 64) *inner.at(inner.count - 1) = Scalar{};]==])
