// Errors as values: a status code of the API with the message that explains it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace gradproof {

/// 0 is success and carries no message. Codes are those of acl_base.h and aclnn_base.h. The message
/// lies apart, since a valid call is found so by some forty of these.
class [[nodiscard]] Status {
 public:
  Status() = default;
  /// Throws std::bad_alloc, unless the message is empty.
  Status(std::int32_t code, std::string message) : code_(code) {
    if (!message.empty()) message_ = std::make_unique<const std::string>(std::move(message));
  }

  bool ok() const { return code_ == 0; }
  std::int32_t code() const { return code_; }
  const char* message() const { return message_ ? message_->c_str() : ""; }

 private:
  std::int32_t code_ = 0;
  std::unique_ptr<const std::string> message_;
};

/// Returns from the enclosing function with the status of `expression` unless that is success.
#define GRADPROOF_TRY(expression)                                                  \
  do {                                                                             \
    if (::gradproof::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

}  // namespace gradproof
