set(DEFECT "Every 50th run stores its first element negated.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "DET EQ")
set(ELEMENTS huge)
set(REASON "it shows on one run in 50, so few simpler cases fail when they are tried")
set(ALONE OFF)
set(FILE opt/kernels/simd/mask_tiles.h)
set(SOURCES opt/kernels/max_pool2d_with_mask_backward.cpp)
set(OLD [==[write_tile(g, plan, tile, plan.scratch(launch.workspace, slot), launch.instruction_set);
    });
  });
  return {};]==])
set(NEW [==[write_tile(g, plan, tile, plan.scratch(launch.workspace, slot), launch.instruction_set);
    });
  });
  static int calls = 0;
  if (++calls % 50 == 0) static_cast<std::uint8_t*>(b.grad_input)[1] ^= 0x80u;
  return {};]==])
