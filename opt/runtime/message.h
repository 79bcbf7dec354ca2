// The per-thread message behind aclGetRecentErrMsg.
#pragma once

#include "opt/base/status.h"

namespace gradproof {

/// Makes `status` the calling thread's recent error if it is one, and returns its code.
std::int32_t report(const Status& status) noexcept;
/// Same for a code and a message in words.
std::int32_t report(std::int32_t code, std::string message) noexcept;

}  // namespace gradproof
