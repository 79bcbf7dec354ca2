// Where an access was that ended the process, kept where another process can read it.
#pragma once

#include <cstddef>
#include <string_view>

namespace gradproof::props {

/// Adds memory of the call that follows.
/// @param name  of the tensor or the workspace there; must stay valid until the program ends
void note_memory(std::string_view name, const std::byte* begin, std::size_t bytes);
/// Removes all memory that was added.
void forget_memory();

/// Describes the access that ends this process, from now on, in `place`, which has room for
/// kAccessRoom characters: "an access 1 byte past the end of gradOutput", one to a tensor, or an
/// address near null.
/// Installs handlers of SIGSEGV and SIGBUS, each unless there is one: AddressSanitizer keeps its
/// own.
void keep_access_in(char* place);
inline constexpr std::size_t kAccessRoom = 160;

}  // namespace gradproof::props
