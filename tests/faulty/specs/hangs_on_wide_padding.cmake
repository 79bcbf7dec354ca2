set(DEFECT "Padding of 4 on the left never ends.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "RES")
set(FILE opt/kernels/replication_pad2d_backward.cpp)
set(OLD [==[visit_wide(g.element, [&](auto type) { run_as<typename decltype(type)::type>(g, b, launch); });]==])
set(NEW [==[volatile std::int64_t left = g.left;
  while (left == 4) {
  }
  visit_wide(g.element, [&](auto type) { run_as<typename decltype(type)::type>(g, b, launch); });]==])
