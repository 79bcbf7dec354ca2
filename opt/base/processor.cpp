// What each of Highway's targets needs of a processor.
#include "opt/base/processor.h"

#include "opt/base/highway_targets.h"

#include "hwy/highway.h"

#if HWY_ARCH_X86
#include <cpuid.h>
#elif HWY_ARCH_ARM_A64
#include <asm/hwcap.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace gradproof {
namespace {

#if HWY_ARCH_X86

constexpr unsigned kSse4 = bit_SSE4_1 | bit_SSE4_2 | bit_PCLMUL | bit_AES;  // leaf 1, ecx
constexpr unsigned kAvx = kSse4 | bit_AVX | bit_FMA | bit_F16C | bit_OSXSAVE;
constexpr unsigned kAvx2 = bit_AVX2 | bit_BMI | bit_BMI2;  // leaf 7, ebx
constexpr unsigned kAvx512 =
    kAvx2 | bit_AVX512F | bit_AVX512VL | bit_AVX512DQ | bit_AVX512BW | bit_AVX512CD;
constexpr unsigned kLeafOfLzcnt = 0x80000001;
/// Registers that the system saves.
constexpr unsigned kYmm = 0x06, kZmm = 0xE6;

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers cpuid(unsigned leaf) {
  Registers r;
  __cpuid_count(leaf, 0, r.a, r.b, r.c, r.d);
  return r;
}

unsigned saved_registers() {
  unsigned low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

bool all(unsigned bits, unsigned wanted) { return (bits & wanted) == wanted; }

std::int64_t detect_targets() {
  const unsigned first = cpuid(1).c;
  if (!all(first, kSse4)) return 0;  // perhaps uncovered: the machine decides
  // perhaps uncovered: the machine decides
  if (!all(first, kAvx) || cpuid(0).a < 7 || !all(cpuid(kLeafOfLzcnt).c, bit_LZCNT))
    return HWY_SSE4;
  const unsigned seventh = cpuid(7).b, saved = saved_registers();
  // perhaps uncovered: the machine decides
  if (!all(seventh, kAvx2) || !all(saved, kYmm)) return HWY_SSE4;
  // perhaps uncovered: the machine decides
  if (!all(seventh, kAvx512) || !all(saved, kZmm)) return HWY_SSE4 | HWY_AVX2;
  return HWY_SSE4 | HWY_AVX2 | HWY_AVX3;
}

#elif HWY_ARCH_ARM_A64

std::int64_t detect_targets() {
  const unsigned long has = getauxval(AT_HWCAP), has2 = getauxval(AT_HWCAP2);
  std::int64_t targets = (has & HWCAP_AES) != 0 ? HWY_NEON : 0;
  if ((has & HWCAP_SVE) == 0) return targets;
  const int vector = prctl(PR_SVE_GET_VL);
  const int bytes = vector < 0 ? 0 : vector & PR_SVE_VL_LEN_MASK;
  const bool second = (has2 & HWCAP2_SVE2) != 0 && (has2 & HWCAP2_SVEAES) != 0;
  targets |= HWY_SVE;
  if (bytes == 32) targets |= HWY_SVE_256;
  if (second) targets |= HWY_SVE2 | (bytes == 16 ? HWY_SVE2_128 : 0);
  return targets;
}

#else

std::int64_t detect_targets() { return 0; }

#endif

}  // namespace

std::int64_t processor_targets() noexcept { return detect_targets() | HWY_STATIC_TARGET; }

}  // namespace gradproof
