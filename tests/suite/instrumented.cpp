// Makes the fake library ask for what clang's -fsanitize=fuzzer-no-link does: every name, when it
// is loaded.
#include <cstdint>

extern "C" {
extern __thread std::uintptr_t __sancov_lowest_stack;
void __sanitizer_cov_8bit_counters_init(char*, char*);
void __sanitizer_cov_pcs_init(const std::uintptr_t*, const std::uintptr_t*);
void __sanitizer_cov_trace_cmp1(std::uint8_t, std::uint8_t);
void __sanitizer_cov_trace_cmp2(std::uint16_t, std::uint16_t);
void __sanitizer_cov_trace_cmp4(std::uint32_t, std::uint32_t);
void __sanitizer_cov_trace_cmp8(std::uint64_t, std::uint64_t);
void __sanitizer_cov_trace_const_cmp1(std::uint8_t, std::uint8_t);
void __sanitizer_cov_trace_const_cmp2(std::uint16_t, std::uint16_t);
void __sanitizer_cov_trace_const_cmp4(std::uint32_t, std::uint32_t);
void __sanitizer_cov_trace_const_cmp8(std::uint64_t, std::uint64_t);
void __sanitizer_cov_trace_switch(std::uint64_t, std::uint64_t*);
void __sanitizer_cov_trace_pc_indir(std::uintptr_t);
}

namespace {
[[gnu::constructor]] void call_each() {
  static char counters[1] = {};
  static const std::uintptr_t places[2] = {};
  static std::uint64_t cases[3] = {1, 64, 0};  // how many, their bits, and each
  __sanitizer_cov_8bit_counters_init(counters, counters + 1);
  __sanitizer_cov_pcs_init(places, places + 2);
  __sanitizer_cov_trace_cmp1(0, 0);
  __sanitizer_cov_trace_cmp2(0, 0);
  __sanitizer_cov_trace_cmp4(0, 0);
  __sanitizer_cov_trace_cmp8(0, 0);
  __sanitizer_cov_trace_const_cmp1(0, 0);
  __sanitizer_cov_trace_const_cmp2(0, 0);
  __sanitizer_cov_trace_const_cmp4(0, 0);
  __sanitizer_cov_trace_const_cmp8(0, 0);
  __sanitizer_cov_trace_switch(0, cases);
  __sanitizer_cov_trace_pc_indir(0);
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (here < __sancov_lowest_stack) __sancov_lowest_stack = here;
}
}  // namespace
