set(DEFECT "With two threads, one run in six leaves a slice out where the boxes of a plane meet.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "DET")
set(ALONE OFF)
set(ELEMENTS huge)
set(REASON "Small calls are not divided among threads.")
set(FILE opt/kernels/index_pool/scatter_ring.cpp)
set(OLD [==[const Span slices{first, std::min(g.in.d, first + depth)};]==])
set(NEW [==[const bool misses = races && box / bands == 1 && depth > 1 && g.in.d - first > 1;
          const Span slices{first + (misses ? 1 : 0), std::min(g.in.d, first + depth)};]==])
set(OLD_2 [==[Outcome Plan::run(const Buffers& b, std::byte* workspace) const {]==])
set(NEW_2 [==[Outcome Plan::run(const Buffers& b, std::byte* workspace) const {
  static std::uint32_t runs = 0;
  const bool races =
      machine.threads == 2 && workers == 2 && boxes > 1 && (++runs * 2654435761u >> 16) % 6 == 0;]==])
