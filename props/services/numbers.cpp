// Sizes of types, and FLOAT16 numbers against the reference.
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "props/services/answers.h"
#include "props/services/services.h"
#include "ref/element.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

constexpr std::int32_t kOneByte[] = {ACL_HIFLOAT8, ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN,
                                     ACL_FLOAT8_E8M0};

void ask_sizes(Answers& is, const Library& library) {
  GRADPROOF_FIND(size_of, aclDataTypeSize);
  for (int dtype = -1; dtype < 80; ++dtype) {
    std::size_t wanted = static_cast<std::size_t>(ref::dtype_size(dtype));
    for (const std::int32_t small : kOneByte) wanted = dtype == small ? 1 : wanted;
    is.status("aclDataTypeSize of " + std::to_string(dtype),
              static_cast<std::int64_t>(size_of(static_cast<aclDataType>(dtype))),
              static_cast<std::int64_t>(wanted));
  }
}

}  // namespace

std::string ask_numbers(const Library& library) {
  GRADPROOF_FIND(widen, aclFloat16ToFloat);
  GRADPROOF_FIND(narrow, aclFloatToFloat16);
  Answers is;
  ask_sizes(is, library);
  const auto half_of = [&](float value) {
    const aclFloat16 bits = narrow(value);
    return ref::load(&bits, ref::kFloat16, 0);
  };
  for (int i = 0; i <= 0xFFFF && is.first().empty(); ++i) {
    const auto bits = static_cast<aclFloat16>(i);
    const float wide = widen(bits);
    const long double exact = ref::load(&bits, ref::kFloat16, 0);
    const std::string text = "aclFloat16ToFloat(" + std::to_string(i) + ") is exact";
    if (std::isnan(exact)) {
      is.that(text, std::isnan(wide) && std::signbit(wide) == (i >= 0x8000));
      const long double back = half_of(wide);
      is.that("aclFloatToFloat16 keeps that a number is NaN, and its sign",
              std::isnan(back) && std::signbit(back) == (i >= 0x8000));
      continue;
    }
    is.that(text, wide == static_cast<float>(exact) && std::signbit(wide) == (i >= 0x8000));
    // The number itself, the tie with the next one, and both sides of the tie.
    const long double next = ref::next_up(ref::kFloat16, exact);
    const float tie =
        std::isfinite(exact) && std::isfinite(next) ? static_cast<float>((exact + next) / 2) : wide;
    for (const float value :
         {wide, tie, std::nextafter(tie, INFINITY), std::nextafter(tie, -INFINITY)}) {
      is.that("aclFloatToFloat16 rounds bits " +
                  std::to_string(std::bit_cast<std::uint32_t>(value)) + " to nearest even",
              half_of(value) == ref::round_to(ref::kFloat16, value));
    }
  }
  for (const float value : {0x1p-149f, 0x1.FFFFFEp-26f, 0x1p-25f, 65519.99f, 65520.0f, 0x1p127f,
                            -0x1p-30f, -65536.0f}) {
    is.that("aclFloatToFloat16(" + std::to_string(value) + ") rounds to nearest even",
            half_of(value) == ref::round_to(ref::kFloat16, value));
  }
  return is.first();
}

}  // namespace gradproof::props
