// Gives a live tensor another address, for the executor functions that do so.
#pragma once

#include "aclnn/acl_meta.h"
#include "opt/runtime/handles.h"

namespace gradproof {

/// Gives a live tensor other data; reports in the name of `function` if it is not live.
aclnnStatus set_address(const char* function, const aclTensor* handle, void* address,
                        const HandleCodes& codes) noexcept;

}  // namespace gradproof
