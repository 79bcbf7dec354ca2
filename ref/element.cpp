// Element types: names, sizes, exact decoding, rounding to nearest even.
#include "ref/element.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>

#include "ref/types.h"

namespace gradproof::ref {
namespace {

// Every finite value of every type, and every sum of the reference, fits a long double of at least
// this precision; the bound of a DOUBLE sum needs the bits beyond double's 53.
static_assert(std::numeric_limits<long double>::digits >= 64);

struct Named {
  std::int32_t number;
  std::string_view name;
};

constexpr std::array<Named, 20> kDtypes = {{
    {kFloat, "FLOAT"},
    {kFloat16, "FLOAT16"},
    {kInt8, "INT8"},
    {kInt32, "INT32"},
    {kUint8, "UINT8"},
    {kInt16, "INT16"},
    {kUint16, "UINT16"},
    {kUint32, "UINT32"},
    {kInt64, "INT64"},
    {kUint64, "UINT64"},
    {kDouble, "DOUBLE"},
    {kBool, "BOOL"},
    {kString, "STRING"},
    {kComplex64, "COMPLEX64"},
    {kComplex128, "COMPLEX128"},
    {kBf16, "BF16"},
    {kInt4, "INT4"},
    {kUint1, "UINT1"},
    {kComplex32, "COMPLEX32"},
    {kDtypeUndefined, "DT_UNDEFINED"},
}};

constexpr std::array<Named, 15> kFormats = {{
    {kNchw, "NCHW"},
    {kNhwc, "NHWC"},
    {kNd, "ND"},
    {kNc1hwc0, "NC1HWC0"},
    {kFractalZ, "FRACTAL_Z"},
    {kNc1hwc0C04, "NC1HWC0_C04"},
    {kHwcn, "HWCN"},
    {kNdhwc, "NDHWC"},
    {kFractalNz, "FRACTAL_NZ"},
    {kNcdhw, "NCDHW"},
    {kNdc1hwc0, "NDC1HWC0"},
    {kFractalZ3d, "FRACTAL_Z_3D"},
    {kNc, "NC"},
    {kNcl, "NCL"},
    {kFormatUndefined, "UNDEFINED"},
}};

std::string name_of(std::span<const Named> table, std::string_view kind, std::int32_t number) {
  for (const Named& row : table) {
    if (row.number == number) return std::string(row.name);
  }
  return std::string(kind) + "(" + std::to_string(number) + ")";
}

std::optional<std::int32_t> number_of(std::span<const Named> table, std::string_view kind,
                                      std::string_view text) {
  for (const Named& row : table) {
    if (row.name == text) return row.number;
  }
  if (!text.starts_with(kind) || !text.ends_with(")")) return std::nullopt;
  text.remove_prefix(kind.size());
  if (!text.starts_with("(")) return std::nullopt;
  text.remove_prefix(1);
  text.remove_suffix(1);
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A 16-bit floating format: its bits of precision, the binary exponent of its smallest subnormal,
// and the power of two above its largest finite value.
struct Small {
  int precision, lowest;
  long double overflow;
};
constexpr Small kSmallFloat16 = {11, -24, 0x1p16L};
constexpr Small kSmallBf16 = {8, -133, 0x1p128L};

const Small& small_format(std::int32_t real_type) {
  return real_type == kFloat16 ? kSmallFloat16 : kSmallBf16;
}

long double decode_float16(std::uint16_t bits) {
  const std::uint32_t exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
  long double magnitude;
  if (exponent == 0x1F) {
    magnitude = fraction != 0 ? std::numeric_limits<long double>::quiet_NaN()
                              : std::numeric_limits<long double>::infinity();
  } else if (exponent == 0) {
    magnitude = static_cast<long double>(fraction) * 0x1p-24L;
  } else {  // the same number as a FLOAT, whose exponent is biased by 127 instead of 15
    magnitude = std::bit_cast<float>((exponent + 127 - 15) << 23 | fraction << 13);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

long double decode_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

// `value` must be one of the format's own.
std::uint16_t encode(const Small& f, long double value) {
  const int fraction_bits = f.precision - 1;
  const int special = (1 << (15 - fraction_bits)) - 1;
  const int sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(sign | special << fraction_bits | 1 << (fraction_bits - 1));
  }
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | special << fraction_bits);
  if (value == 0) return static_cast<std::uint16_t>(sign);
  int exponent = 0;
  std::frexp(value, &exponent);
  // The exponent of the last fraction bit; the code of a positive value is its number of such
  // steps, plus one full set of fractions for every binade below.
  const int step = std::max(exponent - f.precision, f.lowest);
  const int steps = static_cast<int>(std::ldexp(std::fabs(value), -step));
  return static_cast<std::uint16_t>(sign | (steps + ((step - f.lowest) << fraction_bits)));
}

long double round_small(const Small& f, long double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int step = std::max(exponent - f.precision, f.lowest);
  // Added to a number whose last bit is worth 2^step, the value loses what is below, to nearest
  // even.
  const long double large = std::ldexp(1.5L, std::numeric_limits<long double>::digits - 1 + step);
  const long double rounded = std::copysign(value + large - large, value);
  if (std::fabs(rounded) >= f.overflow) {
    return std::copysign(std::numeric_limits<long double>::infinity(), value);
  }
  return rounded;
}

template <class T>
T read(const void* data, std::int64_t i) {
  T value;
  std::memcpy(&value,
              static_cast<const std::byte*>(data) + i * static_cast<std::int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

template <class T>
void write(void* data, std::int64_t i, T value) {
  std::memcpy(static_cast<std::byte*>(data) + i * static_cast<std::int64_t>(sizeof(T)), &value,
              sizeof(T));
}

}  // namespace

std::string dtype_name(std::int32_t dtype) { return name_of(kDtypes, "dtype", dtype); }
std::optional<std::int32_t> dtype_from_name(std::string_view name) {
  return number_of(kDtypes, "dtype", name);
}
std::string format_name(std::int32_t format) { return name_of(kFormats, "format", format); }
std::optional<std::int32_t> format_from_name(std::string_view name) {
  return number_of(kFormats, "format", name);
}

int dtype_size(std::int32_t dtype) {
  switch (dtype) {
    case kInt8:
    case kUint8:
    case kBool: return 1;
    case kFloat16:
    case kBf16:
    case kInt16:
    case kUint16: return 2;
    case kFloat:
    case kInt32:
    case kUint32:
    case kComplex32: return 4;
    case kDouble:
    case kInt64:
    case kUint64:
    case kComplex64: return 8;
    case kComplex128: return 16;
    default: return 0;
  }
}

bool is_floating(std::int32_t dtype) {
  return dtype == kFloat || dtype == kFloat16 || dtype == kBf16 || dtype == kDouble ||
         dtype == kComplex64 || dtype == kComplex128;
}

int components(std::int32_t dtype) {
  return dtype == kComplex32 || dtype == kComplex64 || dtype == kComplex128 ? 2 : 1;
}

std::int32_t component_type(std::int32_t dtype) {
  switch (dtype) {
    case kComplex32: return kFloat16;
    case kComplex64: return kFloat;
    case kComplex128: return kDouble;
    default: return dtype;
  }
}

long double load(const void* data, std::int32_t real_type, std::int64_t i) {
  switch (real_type) {
    case kFloat: return read<float>(data, i);
    case kDouble: return read<double>(data, i);
    case kFloat16: return decode_float16(read<std::uint16_t>(data, i));
    case kBf16: return decode_bf16(read<std::uint16_t>(data, i));
    case kInt8: return read<std::int8_t>(data, i);
    case kUint8:
    case kBool: return read<std::uint8_t>(data, i);
    case kInt16: return read<std::int16_t>(data, i);
    case kUint16: return read<std::uint16_t>(data, i);
    case kInt32: return read<std::int32_t>(data, i);
    case kUint32: return read<std::uint32_t>(data, i);
    case kInt64: return static_cast<long double>(read<std::int64_t>(data, i));
    case kUint64: return static_cast<long double>(read<std::uint64_t>(data, i));
    default: std::abort();  // not a real type: a mistake in our own code
  }
}

void store(void* data, std::int32_t real_type, std::int64_t i, long double value) {
  switch (real_type) {
    case kFloat: return write(data, i, static_cast<float>(value));
    case kDouble: return write(data, i, static_cast<double>(value));
    case kFloat16:
    case kBf16: {
      const Small& f = small_format(real_type);
      return write(data, i, encode(f, round_small(f, value)));
    }
    case kInt8: return write(data, i, static_cast<std::int8_t>(value));
    case kUint8:
    case kBool: return write(data, i, static_cast<std::uint8_t>(value));
    case kInt16: return write(data, i, static_cast<std::int16_t>(value));
    case kUint16: return write(data, i, static_cast<std::uint16_t>(value));
    case kInt32: return write(data, i, static_cast<std::int32_t>(value));
    case kUint32: return write(data, i, static_cast<std::uint32_t>(value));
    case kInt64: return write(data, i, static_cast<std::int64_t>(value));
    case kUint64: return write(data, i, static_cast<std::uint64_t>(value));
    default: std::abort();
  }
}

long double round_to(std::int32_t real_type, long double value) {
  switch (real_type) {
    case kFloat: return static_cast<float>(value);
    case kDouble: return static_cast<double>(value);
    case kFloat16:
    case kBf16: return round_small(small_format(real_type), value);
    default: std::abort();
  }
}

long double next_up(std::int32_t real_type, long double value) {
  switch (real_type) {
    case kFloat:
      return std::nextafter(static_cast<float>(value), std::numeric_limits<float>::infinity());
    case kDouble:
      return std::nextafter(static_cast<double>(value), std::numeric_limits<double>::infinity());
    case kFloat16:
    case kBf16: {
      if (std::isnan(value) || value == std::numeric_limits<long double>::infinity()) return value;
      const Small& f = small_format(real_type);
      if (value == 0) return std::ldexp(1.0L, f.lowest);
      const int code = encode(f, value);
      const auto next = static_cast<std::uint16_t>(value < 0 ? code - 1 : code + 1);
      return real_type == kFloat16 ? decode_float16(next) : decode_bf16(next);
    }
    default: std::abort();
  }
}

}  // namespace gradproof::ref
