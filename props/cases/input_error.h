// What ends a command without a verdict (exit status 2): a question that cannot be understood, or a
// host that lacks something.
#pragma once

#include <stdexcept>

namespace gradproof::props {

/// A bad file, option, library or case text; what() names the place ("cases.txt:3:17: …").
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The library cannot be started: aclInit, aclrtSetDevice or the like answers an error. A finding
/// where libraries are judged.
struct StartError : InputError {
  using InputError::InputError;
};

/// The host has no threads, processes or disk left: what the library does then says nothing of it.
struct HostError : InputError {
  using InputError::InputError;
};

}  // namespace gradproof::props
