/// Tensors and int arrays for C++: descriptors of what the operators take.
///
/// C++17 and later. A descriptor does not own the data that it describes.
#ifndef GRADPROOF_TENSOR_HPP_
#define GRADPROOF_TENSOR_HPP_

#include <complex>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>

#include "aclnn/acl_meta.h"
#include "gradproof/expected.hpp"

namespace gradproof::aclnn {

/// An IEEE binary16 number.
struct Half {
  aclFloat16 bits = 0;  ///< sign, 5 bits of exponent, 10 of fraction
  /// Zero.
  Half() = default;
  /// To nearest, ties to even.
  explicit Half(float value) : bits(aclFloatToFloat16(value)) {}
  /// Exact.
  operator float() const { return aclFloat16ToFloat(bits); }
};

/// A bfloat16 number, as its bits: the upper half of a float's.
struct Bfloat16 {
  std::uint16_t bits = 0;  ///< sign, 8 bits of exponent, 7 of fraction
  /// Zero.
  Bfloat16() = default;
  /// To nearest, ties to even; a NaN stays a NaN of the same sign.
  explicit Bfloat16(float value) {
    std::uint32_t number;
    std::memcpy(&number, &value, sizeof number);
    const bool nan = value != value;
    bits = static_cast<std::uint16_t>(
        (nan ? number | 0x400000u : number + 0x7FFFu + (number >> 16 & 1u)) >> 16);
  }
  /// Exact.
  operator float() const {
    const std::uint32_t number = std::uint32_t{bits} << 16;
    float value;
    std::memcpy(&value, &number, sizeof value);
    return value;
  }
};

/// The API's number of an element type.
template <class T>
inline constexpr aclDataType element_type = ACL_DT_UNDEFINED;
template <>
inline constexpr aclDataType element_type<float> = ACL_FLOAT;
template <>
inline constexpr aclDataType element_type<double> = ACL_DOUBLE;
template <>
inline constexpr aclDataType element_type<Half> = ACL_FLOAT16;
template <>
inline constexpr aclDataType element_type<Bfloat16> = ACL_BF16;
template <>
inline constexpr aclDataType element_type<std::complex<float>> = ACL_COMPLEX64;
template <>
inline constexpr aclDataType element_type<std::complex<double>> = ACL_COMPLEX128;
template <>
inline constexpr aclDataType element_type<std::int8_t> = ACL_INT8;
template <>
inline constexpr aclDataType element_type<std::int32_t> = ACL_INT32;
template <>
inline constexpr aclDataType element_type<std::int64_t> = ACL_INT64;

/// A list of numbers that a function reads before it returns: braces, or any contiguous range.
class Dims {
 public:
  /// {1, 5, 3}: lives as long as the braces, to the end of the call.
  Dims(std::initializer_list<std::int64_t> values) : size_(values.size()) {
    data_ = values.begin();
  }
  /// A vector, array or span of int64_t.
  template <class Range,
            class = std::enable_if_t<std::is_convertible_v<
                decltype(std::data(std::declval<const Range&>())), const std::int64_t*>>>
  Dims(const Range& values) : data_(std::data(values)), size_(std::size(values)) {}

  /// The first number.
  const std::int64_t* data() const noexcept { return data_; }
  /// How many there are.
  std::uint64_t size() const noexcept { return size_; }

 private:
  const std::int64_t* data_ = nullptr;
  std::uint64_t size_;
};

/// Numbers that an operator takes: kernel extents, strides, padding, sizes.
class IntArray {
 public:
  /// Owns nothing.
  IntArray() = default;
  /// A copy of the numbers. The error is 200000 where memory runs out.
  static Expected<IntArray> of(Dims values) {
    aclIntArray* handle = aclCreateIntArray(values.data(), values.size());
    if (handle == nullptr) return Error::recent(ACL_ERROR_BAD_ALLOC);
    return IntArray(handle);
  }
  /// The handle for the C API; the owner keeps it.
  const aclIntArray* get() const noexcept { return handle_.get(); }

 private:
  explicit IntArray(aclIntArray* handle) : handle_(handle) {}
  std::unique_ptr<aclIntArray, detail::Destroy<aclIntArray*, &aclDestroyIntArray>> handle_;
};

/// A view of `shape` on memory whose elements are the range's. Phase 1 refuses a view that leaves
/// the range, as it refuses whatever else does not fit.
class Tensor {
 public:
  /// Owns nothing.
  Tensor() = default;
  /// Contiguous, from the first element of `data`: a Buffer, a span, or any other contiguous range
  /// that stays where it is. `shape` has the extents in elements. The error is 200000 where memory
  /// runs out or a description cannot be stored (more than 64 dimensions).
  template <class Range>
  static Expected<Tensor> over(Range&& data, Dims shape, aclFormat format = ACL_FORMAT_ND) {
    return over(std::forward<Range>(data), shape, nullptr, 0, format);
  }
  /// With `strides`, as many as `shape` has extents (else the error 100000), and `offset`, both in
  /// elements.
  template <class Range>
  static Expected<Tensor> over(Range&& data, Dims shape, Dims strides, std::int64_t offset = 0,
                               aclFormat format = ACL_FORMAT_ND) {
    if (strides.size() != shape.size()) {
      return Error(ACL_ERROR_INVALID_PARAM, "Tensor::over: strides has another size than shape");
    }
    return over(std::forward<Range>(data), shape, strides.data(), offset, format);
  }
  /// Described alone, without data: what gradients take as `self`.
  template <class T>
  static Expected<Tensor> described(Dims shape, aclFormat format = ACL_FORMAT_ND) {
    return create<T>(shape, nullptr, 0, format, shape, nullptr);
  }

  /// The handle for the C API; the owner keeps it.
  aclTensor* get() const noexcept { return handle_.get(); }

 private:
  explicit Tensor(aclTensor* handle) : handle_(handle) {}

  template <class Range>
  static Expected<Tensor> over(Range&& data, Dims shape, const std::int64_t* strides,
                               std::int64_t offset, aclFormat format) {
    using T = std::remove_pointer_t<decltype(std::data(data))>;
    static_assert(!std::is_const_v<T>, "the API describes data as writable");
    static_assert(std::is_lvalue_reference_v<Range> ||
                      std::is_trivially_copyable_v<std::remove_reference_t<Range>>,
                  "a temporary container would leave the tensor without data");
    return create<T>(shape, strides, offset, format, {static_cast<std::int64_t>(std::size(data))},
                     std::data(data));
  }
  template <class T>
  static Expected<Tensor> create(Dims shape, const std::int64_t* strides, std::int64_t offset,
                                 aclFormat format, Dims storage, void* data) {
    static_assert(element_type<T> != ACL_DT_UNDEFINED, "no operator has this element type");
    aclTensor* handle = aclCreateTensor(shape.data(), shape.size(), element_type<T>, strides,
                                        offset, format, storage.data(), storage.size(), data);
    if (handle == nullptr) return Error::recent(ACL_ERROR_BAD_ALLOC);
    return Tensor(handle);
  }

  std::unique_ptr<aclTensor, detail::Destroy<aclTensor*, &aclDestroyTensor>> handle_;
};

}  // namespace gradproof::aclnn

#endif
