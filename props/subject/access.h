// Where an access was that ended the process, kept where another process can read it.
#pragma once

#include <cstddef>
#include <string_view>

namespace gradproof::props {

/// The call that follows has this memory too.
/// @param name  of the tensor or the workspace that lies there; lives as long as the program
void note_memory(std::string_view name, const std::byte* begin, std::size_t bytes);
/// Forgets the memory of all calls.
void forget_memory();

/// From here on an access that ends this process is told in `place`, with room for kAccessRoom
/// characters: "an access 1 byte past the end of gradOutput", or to an address near null. Who
/// handles SIGSEGV or SIGBUS already, as AddressSanitizer does, goes on to.
void keep_access_in(char* place);
inline constexpr std::size_t kAccessRoom = 160;

}  // namespace gradproof::props
