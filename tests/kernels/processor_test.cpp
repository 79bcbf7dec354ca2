// The processor's targets, against Highway's own answer.
#include "opt/base/processor.h"

#include "opt/base/highway_targets.h"

#include "hwy/highway.h"

#include <gtest/gtest.h>

namespace gradproof {
namespace {

TEST(Processor, HasTheTargetsThatHighwayFinds) {
#if HWY_ARCH_X86
  constexpr std::int64_t kKnown = HWY_SSE4 | HWY_AVX2 | HWY_AVX3;
#elif HWY_ARCH_ARM
  constexpr std::int64_t kKnown = HWY_NEON | HWY_SVE | HWY_SVE_256 | HWY_SVE2 | HWY_SVE2_128;
#else
  constexpr std::int64_t kKnown = 0;
#endif
  EXPECT_EQ(processor_targets() & kKnown, (hwy::SupportedTargets() | HWY_STATIC_TARGET) & kKnown);
}

}  // namespace
}  // namespace gradproof
