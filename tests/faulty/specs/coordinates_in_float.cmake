set(DEFECT "Source coordinates of upsampling are computed in float.")
set(TRACKER "PT#89210")
set(OPERATOR upsample_bilinear2d_backward)
set(EXPECTED "LOW EQ")
set(FILE opt/kernels/bilinear_axis.cpp)
set(OLD [==[const double x = align_corners ? ratio * at : ratio * (at + 0.5) - 0.5;]==])
set(NEW [==[const float r = static_cast<float>(ratio), p = static_cast<float>(at);
  const double x = align_corners ? r * p : r * (p + 0.5f) - 0.5f;]==])
