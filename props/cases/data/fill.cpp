// Element recipes. One inner loop per recipe and type: choosing inside would triple the cost.
#include "props/cases/data/fill.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "props/cases/data/chunks.h"
#include "ref/types.h"

namespace gradproof::props {
namespace {

/// What a recipe needs to know about a type.
struct Range {
  int lowest_exponent;  ///< of the smallest subnormal
  int highest_exponent;
  double largest;
};

Range range_of(std::int32_t type) {
  switch (type) {
    case ref::kFloat16: return {-24, 15, 65504};
    case ref::kBf16: return {-133, 127, 0x1.FEp127};
    case ref::kDouble: return {-1074, 1023, std::numeric_limits<double>::max()};
    case ref::kInt8: return {0, 6, 127};
    case ref::kInt32: return {0, 30, 2147483647};
    default: return {-149, 127, std::numeric_limits<float>::max()};
  }
}

double unit(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

struct Integers {
  Stream random;
  double least;
  std::uint64_t count;
  double operator()(std::int64_t i) const {
    return least + static_cast<double>(below(random.at(i), count));
  }
};
struct Uniform {
  Stream random;
  double a, b;
  double operator()(std::int64_t i) const { return a + (b - a) * unit(random.at(i)); }
};
struct Normal {
  Stream random;
  double mean, deviation;
  double operator()(std::int64_t i) const {
    // Of 64 fair bits as many as are set, smeared by a uniform: a normal distribution out to 8
    // deviations to within what a test can tell, and unlike log and cos the same on every machine.
    const std::uint64_t bits = random.at(i);
    const double z = (std::popcount(bits) - 32 + unit(mix(bits)) - 0.5) / 4.010403;  // √(16 + 1/12)
    return mean + deviation * z;
  }
};
struct Constant {
  double a;
  double operator()(std::int64_t) const { return a; }
};
struct ZerosAndOnes {
  Stream random;
  double operator()(std::int64_t i) const { return static_cast<double>(random.at(i) >> 63); }
};
struct Powers {
  Stream random;
  Range range;
  double operator()(std::int64_t i) const {
    // Neighbours mostly are each other's negatives, so that what is left after cancelling is small
    // beside the terms.
    std::uint64_t bits = random.at(i >> 1);
    bool negative = ((bits & 1) != 0) != ((i & 1) != 0);
    if ((bits & 6) == 0) bits = mix(random.at(i)), negative = (bits & 1) != 0;
    const auto span =
        static_cast<std::uint64_t>(range.highest_exponent - range.lowest_exponent + 1);
    const double power =
        std::ldexp(1.0, range.lowest_exponent + static_cast<int>(below(bits, span)));
    return negative ? -power : power;
  }
};
struct Special {
  /// Data come in runs of 2^3 to 2^10 elements. In half of the runs all elements are ordinary:
  /// kernels have other loops for finite rows, planes and tiles.
  static constexpr int kShortest = 3, kLengths = 8;

  Stream random;
  Range range;
  int run = kShortest + static_cast<int>(below(random.at(-1), kLengths));  ///< its length, log₂

  double operator()(std::int64_t i) const {
    const std::uint64_t bits = random.at(i);
    if ((random.at(-2 - (i >> run)) & 1) != 0) return ordinary(bits);
    const double sign = (bits & 1) != 0 ? -1 : 1;
    switch (bits >> 1 & 31) {
      case 0: return std::numeric_limits<double>::quiet_NaN();
      case 1: return sign * std::numeric_limits<double>::infinity();
      case 2:
      case 3: return sign * 0.0;
      case 4:
      case 5: return sign * range.largest;
      case 6:
      case 7:
      case 8:
        return sign * std::ldexp(1.0 + static_cast<double>(below(bits, 60)), range.lowest_exponent);
      default: return ordinary(bits);
    }
  }
  static double ordinary(std::uint64_t bits) { return 16 * unit(mix(bits)) - 8; }
};

/// Where the target has no normal number for `value`: zero, subnormals, overflow, infinity, NaN.
template <int mantissa_bits>
[[gnu::noinline]] std::uint16_t encode_outside_normal(double value) {
  constexpr int kBias = (1 << (14 - mantissa_bits)) - 1;
  constexpr auto kInfinity = static_cast<std::uint16_t>((2 * kBias + 1) << mantissa_bits);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000);
  const std::uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const int biased = exponent - 1023 + kBias;
  if (biased > 0) {
    const bool nan = exponent == 0x7FF && fraction != 0;
    return static_cast<std::uint16_t>(sign | kInfinity |
                                      (nan ? 1 << (mantissa_bits - 1) : 0));  // a quiet one
  }
  const int shift = 52 - mantissa_bits + 1 - biased;
  if (shift > 53) return sign;  // less than half of the smallest subnormal
  const std::uint64_t mantissa = fraction | std::uint64_t{1} << 52;
  const std::uint64_t kept = mantissa >> shift, rest = mantissa & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  // May carry into the smallest normal number, whose bits follow those of the largest subnormal.
  return static_cast<std::uint16_t>(sign |
                                    (kept + (rest > half || (rest == half && (kept & 1) != 0))));
}

template <int mantissa_bits>
std::uint16_t encode_as(double value) {
  constexpr int kBias = (1 << (14 - mantissa_bits)) - 1, kDropped = 52 - mantissa_bits;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  if (exponent <= 1023 - kBias || exponent > 1023 + kBias)
    return encode_outside_normal<mantissa_bits>(value);
  // Change the bias, add a half of the last place, just under it if that is even, and cut. A carry
  // out of the mantissa moves on into the exponent, up to infinity.
  const std::uint64_t rebiased =
      (bits & 0x7FFFFFFFFFFFFFFFu) - (static_cast<std::uint64_t>(1023 - kBias) << 52);
  const std::uint64_t half = (std::uint64_t{1} << (kDropped - 1)) - 1 + (rebiased >> kDropped & 1);
  return static_cast<std::uint16_t>((bits >> 48 & 0x8000) | (rebiased + half) >> kDropped);
}

template <class Value, class Type, class Encode>
void write(const Value& value, Type* data, std::int64_t count, const Encode& encode) {
  in_chunks(count, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) data[i] = encode(value(i));
  });
}

template <class Integer>
Integer whole(double value) {
  if (std::isnan(value)) return 0;
  constexpr double low = std::numeric_limits<Integer>::min(),
                   high = std::numeric_limits<Integer>::max();
  return static_cast<Integer>(std::nearbyint(value < low ? low : value > high ? high : value));
}

template <class Value>
void write_as(const Value& value, std::int32_t type, void* data, std::int64_t count) {
  switch (type) {
    case ref::kFloat:
      write(value, static_cast<float*>(data), count,
            [](double v) { return static_cast<float>(v); });
      break;
    case ref::kDouble:
      write(value, static_cast<double*>(data), count, [](double v) { return v; });
      break;
    case ref::kFloat16:
      write(value, static_cast<std::uint16_t*>(data), count,
            [](double v) { return encode_as<10>(v); });
      break;
    case ref::kBf16:
      write(value, static_cast<std::uint16_t*>(data), count,
            [](double v) { return encode_as<7>(v); });
      break;
    case ref::kInt8:
      write(value, static_cast<std::int8_t*>(data), count, whole<std::int8_t>);
      break;
    case ref::kInt32:
      write(value, static_cast<std::int32_t*>(data), count, whole<std::int32_t>);
      break;
    default: std::abort();  // a valid call has no other type
  }
}

}  // namespace

std::uint16_t encode16(double value, int mantissa_bits) {
  return mantissa_bits == 10 ? encode_as<10>(value) : encode_as<7>(value);
}

void fill_reals(const Fill& fill, const Stream& random, std::int32_t real_type, void* data,
                std::int64_t count) {
  switch (fill.kind) {
    case Fill::Kind::integers: {
      const double widest = 1 << 30;
      const double a = std::isnan(fill.a) ? 0 : std::floor(std::min(std::abs(fill.a), widest));
      write_as(Integers{random, -a, static_cast<std::uint64_t>(2 * a) + 1}, real_type, data, count);
      break;
    }
    case Fill::Kind::uniform:
      write_as(Uniform{random, fill.a, fill.b}, real_type, data, count);
      break;
    case Fill::Kind::normal:
      write_as(Normal{random, fill.a, fill.b}, real_type, data, count);
      break;
    case Fill::Kind::constant: write_as(Constant{fill.a}, real_type, data, count); break;
    case Fill::Kind::powers:
      write_as(Powers{random, range_of(real_type)}, real_type, data, count);
      break;
    case Fill::Kind::special:
      write_as(Special{random, range_of(real_type)}, real_type, data, count);
      break;
    default: write_as(ZerosAndOnes{random}, real_type, data, count); break;
  }
}

}  // namespace gradproof::props
