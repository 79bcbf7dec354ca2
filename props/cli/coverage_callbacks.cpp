// What code compiled with clang's -fsanitize=fuzzer-no-link asks its program for. A fuzzer counts
// here; this program only judges such a library, so nothing is counted. Of clang's shared runtimes
// only those with a sanitizer of memory or threads have all of these names.
#include <cstdint>

#define GRADPROOF_CALLBACK(name, ...) \
  [[gnu::used, gnu::visibility("default")]] void __sanitizer_cov_##name(__VA_ARGS__) {}

extern "C" {
/// Where the stack of a thread was deepest. Zero is deeper than all: it is never set.
[[gnu::used, gnu::visibility("default")]] thread_local std::uintptr_t __sancov_lowest_stack = 0;

GRADPROOF_CALLBACK(8bit_counters_init, char*, char*)
GRADPROOF_CALLBACK(pcs_init, const std::uintptr_t*, const std::uintptr_t*)
GRADPROOF_CALLBACK(trace_cmp1, std::uint8_t, std::uint8_t)
GRADPROOF_CALLBACK(trace_cmp2, std::uint16_t, std::uint16_t)
GRADPROOF_CALLBACK(trace_cmp4, std::uint32_t, std::uint32_t)
GRADPROOF_CALLBACK(trace_cmp8, std::uint64_t, std::uint64_t)
GRADPROOF_CALLBACK(trace_const_cmp1, std::uint8_t, std::uint8_t)
GRADPROOF_CALLBACK(trace_const_cmp2, std::uint16_t, std::uint16_t)
GRADPROOF_CALLBACK(trace_const_cmp4, std::uint32_t, std::uint32_t)
GRADPROOF_CALLBACK(trace_const_cmp8, std::uint64_t, std::uint64_t)
GRADPROOF_CALLBACK(trace_switch, std::uint64_t, std::uint64_t*)
GRADPROOF_CALLBACK(trace_pc_indir, std::uintptr_t)
}
