// The per-thread message behind aclGetRecentErrMsg.
#include "opt/runtime/message.h"

namespace gradproof {

std::int32_t report(const Status& status) noexcept { return status.code(); }

}  // namespace gradproof
