set(DEFECT "Only with two threads: the first row of gradInput is cleared.")
set(OPERATOR adaptive_max_pool3d_backward)
set(EXPECTED "DET")
set(FILE opt/kernels/index_pool/scatter_ring.cpp)
set(OLD [==[        for (std::int64_t i = 0; i < bands; ++i) {
          if (!body(*this, b, plane, scratch, i, {0, g.in.d})) return false;
        }
        return true;]==])
set(NEW [==[        for (std::int64_t i = 0; i < bands; ++i) {
          if (!body(*this, b, plane, scratch, i, {0, g.in.d})) return false;
        }
        if (machine.threads == 2 && tile == 0) *static_cast<std::uint16_t*>(b.grad_input) = 0;
        return true;]==])
