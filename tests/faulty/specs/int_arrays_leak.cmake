set(DEFECT "Each call leaks a copy of its int arrays.")
set(TRACKER "nn !4843, nn !2717")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "RES")
set(FILE opt/ops/check_descriptors.cpp)
set(OLD [==[a.array = find(a.handle);]==])
set(NEW [==[a.array = find(a.handle);
    if (a.array) {
      auto* copy = new std::vector<std::int64_t>(a.array->values);
      copy->resize(512);
    }]==])
