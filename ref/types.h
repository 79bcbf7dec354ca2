// The aclDataType and aclFormat numbers that the reference speaks about, by short names.
// A test holds them against acl/acl_base.h; the reference itself needs no header of the API.
#pragma once

#include <cstdint>

namespace gradproof::ref {

inline constexpr std::int32_t kDtypeUndefined = -1;
inline constexpr std::int32_t kFloat = 0;
inline constexpr std::int32_t kFloat16 = 1;
inline constexpr std::int32_t kInt8 = 2;
inline constexpr std::int32_t kInt32 = 3;
inline constexpr std::int32_t kUint8 = 4;
inline constexpr std::int32_t kInt16 = 6;
inline constexpr std::int32_t kUint16 = 7;
inline constexpr std::int32_t kUint32 = 8;
inline constexpr std::int32_t kInt64 = 9;
inline constexpr std::int32_t kUint64 = 10;
inline constexpr std::int32_t kDouble = 11;
inline constexpr std::int32_t kBool = 12;
inline constexpr std::int32_t kString = 13;
inline constexpr std::int32_t kComplex64 = 16;
inline constexpr std::int32_t kComplex128 = 17;
inline constexpr std::int32_t kBf16 = 27;
inline constexpr std::int32_t kInt4 = 29;
inline constexpr std::int32_t kUint1 = 30;
inline constexpr std::int32_t kComplex32 = 33;

inline constexpr std::int32_t kFormatUndefined = -1;
inline constexpr std::int32_t kNchw = 0;
inline constexpr std::int32_t kNhwc = 1;
inline constexpr std::int32_t kNd = 2;
inline constexpr std::int32_t kNc1hwc0 = 3;
inline constexpr std::int32_t kFractalZ = 4;
inline constexpr std::int32_t kNc1hwc0C04 = 12;
inline constexpr std::int32_t kHwcn = 16;
inline constexpr std::int32_t kNdhwc = 27;
inline constexpr std::int32_t kFractalNz = 29;
inline constexpr std::int32_t kNcdhw = 30;
inline constexpr std::int32_t kNdc1hwc0 = 32;
inline constexpr std::int32_t kFractalZ3d = 33;
inline constexpr std::int32_t kNc = 35;
inline constexpr std::int32_t kNcl = 47;

inline constexpr std::int32_t kSuccess = 0;
inline constexpr std::int32_t kParamNullptr = 161001;
inline constexpr std::int32_t kParamInvalid = 161002;

}  // namespace gradproof::ref
