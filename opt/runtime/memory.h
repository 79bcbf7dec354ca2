// Device memory, as other parts see it.
#pragma once

#include <cstddef>

#include "opt/base/status.h"

namespace gradproof {

/// Whether `bytes` from `begin` are in one live block of aclrtMalloc. If not,
/// ACLNN_ERR_PARAM_INVALID with a predicate for the name of the memory: "(0x10) is not in a live
/// block of aclrtMalloc ...".
Status check_device_range(const void* begin, std::size_t bytes);

/// Whether anybody wrote beside a block since the last look: ACL_ERROR_FAILURE, once for each.
Status check_red_zones();

/// Bytes of live blocks, the most that there were at once, and bytes that are kept for later.
struct MemoryCounts {
  std::size_t device = 0, host = 0, most = 0, kept = 0;
};
MemoryCounts memory_counts();

/// Gives the system what is kept for later allocations.
void trim_memory();

/// Lists on stderr the live blocks that were allocated in strict mode.
void tell_leaked_blocks();

}  // namespace gradproof
