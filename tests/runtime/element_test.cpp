// Element sizes and half-precision numbers.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "acl/acl.h"

namespace {

TEST(DataTypeSize, OfEveryType) {
  EXPECT_EQ(aclDataTypeSize(ACL_INT8), 1u);
  EXPECT_EQ(aclDataTypeSize(ACL_BOOL), 1u);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT16), 2u);
  EXPECT_EQ(aclDataTypeSize(ACL_BF16), 2u);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT), 4u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX32), 4u);
  EXPECT_EQ(aclDataTypeSize(ACL_DOUBLE), 8u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX64), 8u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16u);
}

TEST(DataTypeSize, ZeroWithoutOne) {
  for (int type : {-1, 5, 13, 29, 30, 42, 1 << 30}) {
    EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(type)), 0u) << type;
  }
}

/// The value of a half by its definition.
double by_definition(std::uint16_t h) {
  const int exponent = h >> 10 & 31;
  const double fraction = h & 1023;
  const double sign = (h & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Float16, EveryFiniteHalfIsExactAndComesBack) {
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const auto half = static_cast<aclFloat16>(h);
    if ((h & 0x7C00) == 0x7C00) continue;
    const float value = aclFloat16ToFloat(half);
    ASSERT_EQ(static_cast<double>(value), by_definition(half)) << h;
    ASSERT_EQ(std::signbit(value), (h & 0x8000) != 0) << h;
    ASSERT_EQ(aclFloatToFloat16(value), half) << h;
  }
}

TEST(Float16, RoundsToNearestEvenBetweenAllNeighbours) {
  for (std::uint32_t h = 0; h + 1 < 0x7C00; ++h) {
    const double low = by_definition(static_cast<std::uint16_t>(h));
    const double high = by_definition(static_cast<std::uint16_t>(h + 1));
    const auto middle = static_cast<float>((low + high) / 2);  // exact: one bit more than a half
    const std::uint32_t even = (h & 1) == 0 ? h : h + 1;
    ASSERT_EQ(aclFloatToFloat16(middle), even) << h;
    ASSERT_EQ(aclFloatToFloat16(-middle), even | 0x8000) << h;
    ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, 0.0f)), h) << h;
    ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, 1e9f)), h + 1) << h;
  }
}

TEST(Float16, OverflowsToInfinityFromHalfWayAboveTheLargest) {
  EXPECT_EQ(aclFloatToFloat16(std::nextafter(65520.0f, 0.0f)), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(65520.0f), 0x7C00);
  EXPECT_EQ(aclFloatToFloat16(-65520.0f), 0xFC00);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::max()), 0x7C00);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::infinity()), 0x7C00);
  EXPECT_TRUE(std::isinf(aclFloat16ToFloat(0x7C00)));
  EXPECT_LT(aclFloat16ToFloat(0xFC00), 0);
}

TEST(Float16, UnderflowsToSignedZero) {
  EXPECT_EQ(aclFloatToFloat16(0x1p-25f), 0);
  EXPECT_EQ(aclFloatToFloat16(std::nextafter(0x1p-25f, 1.0f)), 1);
  EXPECT_EQ(aclFloatToFloat16(-std::numeric_limits<float>::denorm_min()), 0x8000);
}

TEST(Float16, NaNStaysNaN) {
  for (std::uint32_t h = 0x7C01; h < 0x8000; ++h) {
    const float value = aclFloat16ToFloat(static_cast<aclFloat16>(h));
    ASSERT_TRUE(std::isnan(value)) << h;
    ASSERT_EQ(aclFloatToFloat16(value), h | 0x0200) << h;
  }
  // A payload in the low bits alone must not turn into an infinity.
  EXPECT_EQ(aclFloatToFloat16(std::bit_cast<float>(0xFF800001u)) & 0xFE00, 0xFE00);
}

TEST(Float16, IgnoresTheRoundingMode) {
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  const aclFloat16 third = aclFloatToFloat16(std::bit_cast<float>(0x3EAAAAABu));
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(third, 0x3555);
}

}  // namespace
