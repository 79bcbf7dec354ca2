// Errors and logs; replaces torch_npu's core/npu/NPUException.h, core/npu/npu_log.h and logging/.
#pragma once
#include <ATen/ATen.h>
#include <acl/acl.h>

#include <cstdio>
#include <memory>
#include <string>

enum class ErrCode {
  SUC,
  PARAM,
  TYPE,
  VALUE,
  PTR,
  INTERNAL,
  MEMORY,
  NOT_SUPPORT,
  NOT_FOUND,
  UNAVAIL,
  SYSCALL,
  TIMEOUT,
  PERMISSION,
  ACL = 100
};
inline std::string format_error(const char* who, ErrCode e) {
  return std::string("\n[ERROR] ") + who + std::to_string(int(e));
}
#define OPS_ERROR(e) format_error("OPS", e)
#define PTA_ERROR(e) format_error("PTA", e)
#define TORCH_NPU_WARN TORCH_WARN
#define TORCH_NPU_WARN_ONCE TORCH_WARN_ONCE

// The compiler checks the arguments; nothing is written.
#define STANDIN_LOG(...)                          \
  do {                                            \
    if (false) std::fprintf(stderr, __VA_ARGS__); \
  } while (0);
#define ASCEND_LOGE STANDIN_LOG
#define ASCEND_LOGW STANDIN_LOG
#define ASCEND_LOGI STANDIN_LOG
#define ASCEND_LOGD STANDIN_LOG

namespace c10_npu {
inline const char* c10_npu_get_error_message() {
  const char* message = aclGetRecentErrMsg();
  return message != nullptr ? message : "";
}
}  // namespace c10_npu
inline const char* getErrorFunction(const char* message) { return message; }
inline const char* getErrorFunction(const char*, const char* arguments) { return arguments; }
#define NPU_CHECK_ERROR(err_code, ...)                                                         \
  do {                                                                                         \
    int error_code = err_code;                                                                 \
    if (error_code != ACL_ERROR_NONE)                                                          \
      TORCH_CHECK(false, __func__,                                                             \
                  " NPU function error: ", getErrorFunction(#err_code, ##__VA_ARGS__),         \
                  ", error code is ", error_code, "\n", c10_npu::c10_npu_get_error_message()); \
  } while (0)

namespace npu_logging {
enum class LoggingLevel {
  DEBUG = 10,
  INFO = 20,
  WARNING = 30,
  ERROR = 40,
  CRITICAL = 50,
  UNKNOWN = -100
};
struct Logger {
  LoggingLevel getAllowLevel() { return LoggingLevel::WARNING; }
  template <class... A>
  void long_info(A&&...) {}
  template <class... A>
  void long_debug(A&&...) {}
  template <class... A>
  void info(A&&...) {}
  template <class... A>
  void debug(A&&...) {}
};
struct LogContext {
  std::shared_ptr<Logger> getLogger(const std::string& = "") { return std::make_shared<Logger>(); }
};
inline LogContext& logging() {
  static LogContext context;
  return context;
}
}  // namespace npu_logging
