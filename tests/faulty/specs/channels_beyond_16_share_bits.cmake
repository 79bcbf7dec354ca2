set(DEFECT "Channel 16 and those after it read the bits of the first group.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "EQ")
set(FILE opt/kernels/simd/mask_tiles.h)
set(SOURCES opt/kernels/simd/mask_lanes.cpp opt/kernels/simd/mask_pairs.cpp
  opt/kernels/simd/mask_planes.cpp opt/kernels/simd/mask_slab.cpp)
set(OLD [==[b.mask,
            index,]==])
set(NEW [==[b.mask,
            n * mask.groups,]==])
