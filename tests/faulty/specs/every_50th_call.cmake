set(DEFECT "Every 50th run stores its first element negated.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "DET EQ")
set(ELEMENTS huge)
set(REASON "it shows on one run in 50, so few simpler cases fail when they are tried")
set(ALONE OFF)
set(FILE opt/kernels/mask_pool/tiles.h)
set(SOURCES opt/kernels/mask_pool/gather_lanes.cpp opt/kernels/mask_pool/select_pairs.cpp
  opt/kernels/mask_pool/gather_planes.cpp opt/kernels/mask_pool/gather_rows.cpp)
set(OLD [==[plan.body(plan, b, tile, plan.scratch(workspace, slot));
  });
  return {};]==])
set(NEW [==[plan.body(plan, b, tile, plan.scratch(workspace, slot));
  });
  static int calls = 0;
  if (++calls % 50 == 0) static_cast<std::uint8_t*>(b.grad_input)[1] ^= 0x80u;
  return {};]==])
