// Which workspaces the work of which stream uses, so that phase 2 can refuse one that another
// stream's work still needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "opt/runtime/process.h"

namespace gradproof::workspaces {

/// Who uses a workspace: a stream, and the latest of its calls that do.
struct User {
  std::uint32_t stream = 0;
  const char* api = "";
};

/// Notes that work of a stream will use `bytes` > 0 bytes. If another stream's does, and `alone`
/// says that nothing can let this one come after it, nothing is noted, and the other one returned;
/// otherwise a user without a name. Throws std::bad_alloc.
User claim(const std::byte* workspace, std::uint64_t bytes, const User& user, bool alone);
/// That work is done.
void release(const std::byte* workspace, std::uint64_t bytes, std::uint32_t stream) noexcept;

void at_fork(Fork phase) noexcept;

}  // namespace gradproof::workspaces
