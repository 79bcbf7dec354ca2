set(DEFECT "Channel 16 and those after it read the bits of the first group.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "EQ")
set(FILE opt/kernels/mask_pool/tiles.h)
set(SOURCES opt/kernels/mask_pool/gather_lanes_tile.cpp opt/kernels/mask_pool/gather_planes_tile.cpp
  opt/kernels/mask_pool/gather_rows_tile.cpp opt/kernels/mask_pool/select_pairs_tile.cpp)
set(OLD [==[b.mask,
            index,]==])
set(NEW [==[b.mask,
            n * mask.groups,]==])
