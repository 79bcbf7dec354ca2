// Element types: decoding and rounding of the 16-bit formats, exhaustively, and the names.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "acl/acl_base.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::ref {
namespace {

static_assert(kFloat == ACL_FLOAT && kFloat16 == ACL_FLOAT16 && kInt8 == ACL_INT8 &&
              kInt32 == ACL_INT32);
static_assert(kUint8 == ACL_UINT8 && kInt16 == ACL_INT16 && kUint16 == ACL_UINT16 &&
              kUint32 == ACL_UINT32);
static_assert(kInt64 == ACL_INT64 && kUint64 == ACL_UINT64 && kDouble == ACL_DOUBLE &&
              kBool == ACL_BOOL);
static_assert(kString == ACL_STRING && kComplex64 == ACL_COMPLEX64 &&
              kComplex128 == ACL_COMPLEX128);
static_assert(kBf16 == ACL_BF16 && kInt4 == ACL_INT4 && kUint1 == ACL_UINT1 &&
              kComplex32 == ACL_COMPLEX32);
static_assert(kDtypeUndefined == ACL_DT_UNDEFINED && kFormatUndefined == ACL_FORMAT_UNDEFINED);
static_assert(kNchw == ACL_FORMAT_NCHW && kNhwc == ACL_FORMAT_NHWC && kNd == ACL_FORMAT_ND);
static_assert(kNc1hwc0 == ACL_FORMAT_NC1HWC0 && kFractalZ == ACL_FORMAT_FRACTAL_Z);
static_assert(kNc1hwc0C04 == ACL_FORMAT_NC1HWC0_C04 && kHwcn == ACL_FORMAT_HWCN &&
              kNdhwc == ACL_FORMAT_NDHWC);
static_assert(kFractalNz == ACL_FORMAT_FRACTAL_NZ && kNcdhw == ACL_FORMAT_NCDHW);
static_assert(kNdc1hwc0 == ACL_FORMAT_NDC1HWC0 && kFractalZ3d == ACL_FRACTAL_Z_3D);
static_assert(kNc == ACL_FORMAT_NC && kNcl == ACL_FORMAT_NCL);

// The definition of a 16-bit float, by arithmetic on its fields.
long double defined_value(int exponent_bits, std::uint32_t bits) {
  const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int fraction = static_cast<int>(bits) % (1 << fraction_bits);
  const int exponent = static_cast<int>(bits >> fraction_bits) % (1 << exponent_bits);
  const long double unit = std::pow(2.0L, -fraction_bits);
  long double v;
  if (exponent == (1 << exponent_bits) - 1) {
    v = fraction == 0 ? std::numeric_limits<long double>::infinity() : std::nanl("");
  } else if (exponent == 0) {
    v = fraction * unit * std::pow(2.0L, 1 - bias);
  } else {
    v = (1 + fraction * unit) * std::pow(2.0L, exponent - bias);
  }
  return bits >= 0x8000 ? -v : v;
}

struct Half {
  std::int32_t type;
  int exponent_bits;
  std::uint16_t infinity;
};
class HalfTypes : public ::testing::TestWithParam<Half> {};
INSTANTIATE_TEST_SUITE_P(All, HalfTypes,
                         ::testing::Values(Half{kFloat16, 5, 0x7C00}, Half{kBf16, 8, 0x7F80}),
                         [](const auto& p) { return dtype_name(p.param.type); });

TEST_P(HalfTypes, EveryCodeDecodesAndEncodes) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const auto bits = static_cast<std::uint16_t>(code);
    const long double value = load(&bits, GetParam().type, 0),
                      defined = defined_value(GetParam().exponent_bits, code);
    if (std::isnan(defined)) {
      ASSERT_TRUE(std::isnan(value)) << code;
      ASSERT_TRUE(std::isnan(round_to(GetParam().type, value)));
      continue;
    }
    ASSERT_EQ(value, defined) << code;
    ASSERT_EQ(std::signbit(value), std::signbit(defined)) << code;
    ASSERT_EQ(round_to(GetParam().type, value), value) << code;
    std::uint16_t back = 0x5555;
    store(&back, GetParam().type, 0, value);
    ASSERT_EQ(back, bits);
  }
}

// Between every two neighbours: the midpoint goes to the even code, the rest to the nearer one.
TEST_P(HalfTypes, EveryGapRoundsToNearestEven) {
  const std::int32_t type = GetParam().type;
  for (std::uint16_t code = 0; code < GetParam().infinity; ++code) {
    const long double low = defined_value(GetParam().exponent_bits, code);
    // Beyond the largest finite value the gap continues to where the next value would be.
    const bool last = code + 1 == GetParam().infinity;
    const long double high = last ? low + (low - defined_value(GetParam().exponent_bits, code - 1u))
                                  : defined_value(GetParam().exponent_bits, code + 1u);
    const long double above = last ? std::numeric_limits<long double>::infinity() : high;
    const long double middle = (low + high) / 2, nudge = (high - low) / 1024;
    for (const int sign : {1, -1}) {
      ASSERT_EQ(round_to(type, sign * middle), sign * (code % 2 == 0 ? low : above)) << code;
      ASSERT_EQ(round_to(type, sign * (middle - nudge)), sign * low) << code;
      ASSERT_EQ(round_to(type, sign * (middle + nudge)), sign * above) << code;
    }
    ASSERT_EQ(next_up(type, low), above) << code;
    ASSERT_EQ(next_up(type, -above), -low) << code;
  }
}

TEST(Element, FloatAndDoubleRoundOnceFromLongDouble) {
  // 1 + 2⁻²⁴ + 2⁻⁶⁰ lies above the tie; rounding to double first would make it one.
  EXPECT_EQ(round_to(kFloat, 1 + 0x1p-24L + 0x1p-60L), 1 + 0x1p-23L);
  EXPECT_EQ(round_to(kFloat, 1 + 0x1p-24L), 1);
  EXPECT_EQ(round_to(kFloat, 0x1.8p-149L), 0x1p-148L);
  EXPECT_EQ(round_to(kFloat, 0x1p-150L), 0);
  EXPECT_EQ(round_to(kDouble, 1 + 0x1p-53L), 1);
  EXPECT_EQ(round_to(kDouble, 1 + 0x1p-53L + 0x1p-63L), 1 + 0x1p-52L);
  EXPECT_EQ(round_to(kFloat, 0x1p128L), std::numeric_limits<long double>::infinity());
  EXPECT_EQ(next_up(kFloat, 0), 0x1p-149L);
  EXPECT_EQ(next_up(kDouble, -0x1p-1074L), 0);
}

TEST(Element, IntegersAreExact) {
  const std::int64_t big[] = {std::numeric_limits<std::int64_t>::min(),
                              std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(load(big, kInt64, 0), -0x1p63L);
  EXPECT_EQ(load(big, kInt64, 1), 0x1p63L - 1);
  std::int32_t out[2] = {};
  store(out, kInt32, 1, -2147483648.0L);
  EXPECT_EQ(out[1], std::numeric_limits<std::int32_t>::min());
  const std::int8_t byte = -1;
  EXPECT_EQ(load(&byte, kInt8, 0), -1);
  EXPECT_EQ(load(&byte, kUint8, 0), 255);
}

TEST(Element, NamesReadBack) {
  for (std::int32_t number = -3; number < 100; ++number) {
    EXPECT_EQ(dtype_from_name(dtype_name(number)), number);
    EXPECT_EQ(format_from_name(format_name(number)), number);
  }
  EXPECT_EQ(dtype_name(kBf16), "BF16");
  EXPECT_EQ(dtype_name(77), "dtype(77)");
  EXPECT_EQ(format_name(kNcdhw), "NCDHW");
  for (const char* bad : {"", "float", "dtype", "dtype()", "dtype(7", "dtype(7x)",
                          "dtype(99999999999)", "format(2)"}) {
    EXPECT_FALSE(dtype_from_name(bad)) << bad;
  }
  EXPECT_FALSE(format_from_name("dtype(2)"));
}

TEST(Element, SizesAndComponents) {
  EXPECT_EQ(dtype_size(kComplex128), 16);
  EXPECT_EQ(dtype_size(kBf16), 2);
  EXPECT_EQ(dtype_size(kInt4), 0);
  EXPECT_EQ(dtype_size(12345), 0);
  EXPECT_EQ(components(kComplex64), 2);
  EXPECT_EQ(component_type(kComplex128), kDouble);
  EXPECT_EQ(component_type(kBf16), kBf16);
  EXPECT_TRUE(is_floating(kComplex64));
  EXPECT_FALSE(is_floating(kInt32));
}

}  // namespace
}  // namespace gradproof::ref
