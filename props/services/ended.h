// How a child process ended.
#pragma once

#include <string>

#include <sys/types.h>

namespace gradproof::props {

/// "" if it exited by itself within 5 s; otherwise it is killed, and this says what it did:
/// "does not end within 5 s", "dies of signal 11". `*status` is waitpid's.
std::string end_of(pid_t child, int* status = nullptr);

}  // namespace gradproof::props
