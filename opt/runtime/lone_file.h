// A file that this process alone writes, by a name that other processes may have too.
#pragma once

#include <string>

#include <sys/stat.h>

namespace gradproof {

/// The name with this process's number for each "%p".
std::string with_process_number(const char* name);

/// Opens or creates a regular file and locks it until the descriptor is closed: -1 with the reason
/// in errno, EWOULDBLOCK where another process has locked it. A file system without locks gives the
/// file all the same. Follows no link in the last place and waits for nobody: the name may come
/// from somebody who is not the program's friend.
int open_alone(const std::string& path) noexcept;
/// The reason as a message ends.
const char* why_not_alone(int error) noexcept;

bool same_file(const struct stat& a, const struct stat& b) noexcept;

}  // namespace gradproof
