set(DEFECT "Every 50th run stores its first element negated.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "DET EQ")
set(ALONE OFF)
set(FILE opt/kernels/max_pool2d_with_mask_backward.cpp)
set(OLD [==[run_as<FloatViaFloat16>(g, b, launch);
  } else {
    visit_narrow(g.element,
                 [&](auto type) { run_as<typename decltype(type)::type>(g, b, launch); });
  }
  return {};]==])
set(NEW [==[run_as<FloatViaFloat16>(g, b, launch);
  } else {
    visit_narrow(g.element,
                 [&](auto type) { run_as<typename decltype(type)::type>(g, b, launch); });
  }
  static int calls = 0;
  if (++calls % 50 == 0) static_cast<std::uint8_t*>(b.grad_input)[1] ^= 0x80u;
  return {};]==])
