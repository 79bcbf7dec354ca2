// Refusing handles: which code, and a message that says what the value is instead.
#pragma once

#include <cstdint>

#include "opt/runtime/handle_table.h"

namespace gradproof {

struct HandleCodes {
  std::int32_t null;   ///< for a null handle
  std::int32_t stale;  ///< for one that is destroyed, of another kind, or no handle
};
extern const HandleCodes kRuntimeCodes;   ///< of the aclrt* functions
extern const HandleCodes kMetaCodes;      ///< of the functions of acl_meta.h
extern const HandleCodes kExecutorCodes;  ///< of those of them that take an executor

/// "aclTensor" for a handle of that kind, alive or not; null for every other value.
const char* kind_name(const void* handle) noexcept;

/// Reports that `function` got a value for `argument` that is not a live handle of that kind.
std::int32_t refuse(const char* function, const char* argument, const void* handle,
                    HandleKind expected, const HandleCodes& codes) noexcept;

}  // namespace gradproof
