set(DEFECT "Every 50th run stores its first element negated.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "DET EQ")
set(ELEMENTS huge)
set(REASON "it shows on one run in 50, so few simpler cases fail when they are tried")
set(ALONE OFF)
set(FILE opt/kernels/simd/mask_tiles.h)
set(SOURCES opt/kernels/simd/mask_lanes.cpp opt/kernels/simd/mask_pairs.cpp
  opt/kernels/simd/mask_planes.cpp opt/kernels/simd/mask_slab.cpp)
set(OLD [==[write_tile(plan.g, plan, tile, plan.scratch(workspace, slot), plan.machine.instruction_set);
    });
  });
  return {};]==])
set(NEW [==[write_tile(plan.g, plan, tile, plan.scratch(workspace, slot), plan.machine.instruction_set);
    });
  });
  static int calls = 0;
  if (++calls % 50 == 0) static_cast<std::uint8_t*>(b.grad_input)[1] ^= 0x80u;
  return {};]==])
