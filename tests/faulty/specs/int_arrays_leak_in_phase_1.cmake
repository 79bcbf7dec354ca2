set(DEFECT "Phase 1 keeps every int array that it has looked at for ever.")
set(TRACKER "nn !4843, nn !2717")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "RES")
set(FILE opt/ops/check_descriptors.cpp)
set(OLD [==[    if (!a.array) a.array = find(a.handle);]==])
set(NEW [==[    if (!a.array) a.array = find(a.handle);
    if (a.array) new std::shared_ptr<const IntArray>(a.array.share());]==])
