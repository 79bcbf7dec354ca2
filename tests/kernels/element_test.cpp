// Conversions between float and the 16-bit types against the definition of the formats,
// exhaustively.
#include "opt/base/element.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/numbers.h"

namespace gradproof::test {
namespace {

std::uint16_t narrow(float x, Format f) {
  return f.fraction_bits == 10 ? to_float16(x).bits : to_bfloat16(x).bits;
}
float widen(std::uint32_t bits, Format f) {
  const auto low = static_cast<std::uint16_t>(bits);
  return f.fraction_bits == 10 ? to_float(Float16{low}) : to_float(BFloat16{low});
}
bool is_nan_bits(std::uint32_t bits, Format f) { return std::isnan(decode(bits, f)); }

class Conversion : public testing::TestWithParam<Format> {};

TEST_P(Conversion, EveryValueWidensExactlyAndComesBack) {
  const Format f = GetParam();
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float x = widen(bits, f);
    if (is_nan_bits(bits, f)) {
      ASSERT_TRUE(std::isnan(x)) << bits;
      ASSERT_TRUE(is_nan_bits(narrow(x, f), f)) << bits;
      ASSERT_TRUE(narrow(x, f) & 1u << (f.fraction_bits - 1)) << bits << " must become quiet";
      ASSERT_EQ(narrow(x, f) >> 15, bits >> 15) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<double>(x), decode(bits, f)) << bits;
    ASSERT_EQ(std::signbit(x), (bits & 0x8000) != 0) << bits;
    ASSERT_EQ(narrow(x, f), bits);
  }
}

TEST_P(Conversion, MidpointsGoToEvenAndTheirNeighboursToTheNearest) {
  const Format f = GetParam();
  const std::uint32_t infinity = ((1u << f.exponent_bits) - 1) << f.fraction_bits;
  for (std::uint32_t sign = 0; sign <= 0x8000; sign += 0x8000) {
    for (std::uint32_t low = 0; low < infinity; ++low) {
      const double a = decode(low, f);
      const double b = low + 1 == infinity ? std::ldexp(2.0, (1 << (f.exponent_bits - 1)) - 1)
                                           : decode(low + 1, f);
      float middle = static_cast<float>((a + b) / 2);
      if (static_cast<double>(middle) != (a + b) / 2) continue;  // below float's own subnormals
      if (sign) middle = -middle;
      const float zero = 0.0f, far = sign ? -std::numeric_limits<float>::infinity()
                                          : std::numeric_limits<float>::infinity();
      ASSERT_EQ(narrow(middle, f), sign | (low + (low & 1))) << low;
      ASSERT_EQ(narrow(std::nextafter(middle, zero), f), sign | low) << low;
      ASSERT_EQ(narrow(std::nextafter(middle, far), f), sign | (low + 1)) << low;
    }
  }
}

TEST_P(Conversion, FloatsOfEveryExponentRoundAsTheDefinitionSays) {
  const Format f = GetParam();
  for (std::uint64_t wide = 0; wide < 0x100000000u; wide += 4099) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(wide));
    if (std::isnan(x)) {
      ASSERT_TRUE(is_nan_bits(narrow(x, f), f)) << wide;
    } else {
      ASSERT_EQ(narrow(x, f), encode(round_to(static_cast<double>(x), f), f)) << wide;
    }
  }
}

TEST_P(Conversion, SignallingNansBecomeQuietNans) {
  const Format f = GetParam();
  for (const std::uint32_t bits : {0x7f800001u, 0xff800001u, 0x7fbfffffu, 0x7f801000u}) {
    const std::uint16_t low = narrow(std::bit_cast<float>(bits), f);
    EXPECT_TRUE(is_nan_bits(low, f));
    EXPECT_TRUE(low & 1u << (f.fraction_bits - 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Conversion, testing::Values(kFloat16, kBFloat16),
                         [](const auto& parameter) {
                           return parameter.param.fraction_bits == 10 ? "Float16" : "BFloat16";
                         });

}  // namespace
}  // namespace gradproof::test
