// The table of live tensors, for the executor functions that give a tensor another address.
#pragma once

#include "opt/runtime/handle_table.h"
#include "opt/runtime/handles.h"
#include "opt/runtime/tensor.h"

namespace gradproof {

HandleTable<const Tensor>& tensors() noexcept;

/// Gives a live tensor other data; reports in the name of `function` if it is not live.
aclnnStatus set_address(const char* function, const aclTensor* handle, void* address,
                        const HandleCodes& codes) noexcept;

}  // namespace gradproof
