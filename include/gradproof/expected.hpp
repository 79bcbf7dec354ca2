/// What a call of the C++ layer answers: a value, or the C API's status and message.
///
/// C++17 and later. The interface is the part of C++23's std::expected that the layer needs.
#ifndef GRADPROOF_EXPECTED_HPP_
#define GRADPROOF_EXPECTED_HPP_

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "acl/acl.h"

namespace gradproof::aclnn {

/// Why a call failed.
class Error {
 public:
  /// A failure of one's own, with a status of the C API.
  Error(std::int32_t status, std::string message) : status_(status), message_(std::move(message)) {}

  /// The failure that the calling thread just got from the C API, with its message.
  [[gnu::cold, gnu::noinline]] static Error recent(std::int32_t status) {
    const char* message = aclGetRecentErrMsg();
    return {status, message != nullptr ? message : ""};
  }

  /// A status code of acl_base.h or aclnn_base.h, never a success.
  std::int32_t status() const noexcept { return status_; }
  /// aclGetRecentErrMsg's text, empty if there was none.
  const std::string& message() const noexcept { return message_; }

 private:
  std::int32_t status_;
  std::string message_;
};

/// What Expected::value throws.
class StatusException : public std::runtime_error {
 public:
  /// what() is "status: message".
  explicit StatusException(Error error)
      : std::runtime_error(std::to_string(error.status()) + ": " + error.message()),
        error_(std::move(error)) {}
  /// What failed.
  const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

namespace detail {
// A program may mix translation units with exceptions and without. Each has a `raise` of its own, and
// `value`, which calls it, is inlined, so that the linker has nothing to choose between.
#ifdef __cpp_exceptions
inline namespace throwing {
[[noreturn, gnu::cold]] inline void raise(const Error& error) { throw StatusException(error); }
}  // namespace throwing
#else
inline namespace ending {
[[noreturn, gnu::cold]] inline void raise(const Error&) { std::abort(); }
}  // namespace ending
#endif

[[gnu::cold, gnu::noinline]] inline std::unique_ptr<const Error> outside(Error&& error) {
  return std::make_unique<const Error>(std::move(error));
}
}  // namespace detail

/// A T or an Error. The error lies outside, so that a success costs no more than a null pointer.
template <class T>
class [[nodiscard]] Expected {
 public:
  /// A success.
  Expected(T value) noexcept : value_(std::move(value)) {}
  /// A failure.
  Expected(Error error) : error_(detail::outside(std::move(error))) {}

  /// Whether it is a success.
  bool has_value() const noexcept { return error_ == nullptr; }
  /// The same.
  explicit operator bool() const noexcept { return has_value(); }

  /// The value. Throws StatusException if there is none; without exceptions the program ends.
  [[gnu::always_inline]] T& value() & {
    if (!has_value()) detail::raise(error());
    return value_;
  }
  /// The same, moved out.
  [[gnu::always_inline]] T value() && {
    if (!has_value()) detail::raise(error());
    return std::move(value_);
  }
  /// The value; one that owns nothing if there is an error.
  T& operator*() noexcept { return value_; }
  /// The same.
  const T& operator*() const noexcept { return value_; }
  /// Its members, likewise.
  T* operator->() noexcept { return &value_; }
  /// The same.
  const T* operator->() const noexcept { return &value_; }
  /// The error; undefined if there is none.
  const Error& error() const noexcept { return *error_; }

 private:
  T value_{};
  std::unique_ptr<const Error> error_;
};

/// Success or an Error.
template <>
class [[nodiscard]] Expected<void> {
 public:
  /// A success.
  Expected() noexcept = default;
  /// A failure.
  Expected(Error error) : error_(detail::outside(std::move(error))) {}

  /// Whether it is a success.
  bool has_value() const noexcept { return error_ == nullptr; }
  /// The same.
  explicit operator bool() const noexcept { return has_value(); }
  /// Throws StatusException if the call failed; without exceptions the program ends.
  [[gnu::always_inline]] void value() const {
    if (error_) detail::raise(*error_);
  }
  /// The error; undefined if there is none.
  const Error& error() const noexcept { return *error_; }

 private:
  std::unique_ptr<const Error> error_;
};

namespace detail {
/// A status of the C API as this layer answers it.
inline Expected<void> checked(std::int32_t status) {
  if (status != 0) return Error::recent(status);
  return {};
}

/// Ends what a std::unique_ptr owns, with a function of the C API; no one can be told of a failure.
template <class Handle, auto destroy>
struct Destroy {
  using pointer = Handle;
  void operator()(Handle handle) const noexcept { (void)destroy(handle); }
};
}  // namespace detail

}  // namespace gradproof::aclnn

#endif
