// Errors as values: a status code of the API with the message that explains it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace gradproof {

/// 0 is success and carries no message. Codes are those of acl_base.h and aclnn_base.h.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(std::int32_t code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == 0; }
  std::int32_t code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  std::int32_t code_ = 0;
  std::string message_;
};

/// Returns from the enclosing function with the status of `expression` unless that is success.
#define GRADPROOF_TRY(expression)                                        \
  do {                                                                   \
    if (::gradproof::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

}  // namespace gradproof
